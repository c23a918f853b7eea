import { planChanges } from '../configuration/differences.ts';
import { failWith, readHandedIn, unusualPrices } from '../configuration/handed-in.ts';
import { pathText } from '../configuration/read.ts';
import { report } from '../configuration/report.ts';
import { readStateAlone } from '../configuration/state.ts';
import type { Context } from '../context/context.ts';
import { Different } from '../context/fault.ts';
import { withDatabase } from '../operator/owner-database.ts';

/** `diff FILE`: what `apply` would change. @throws Different where there is something */
export async function runDiff(
  context: Context,
  file: string,
  { prune = false }: { readonly prune?: boolean },
): Promise<void> {
  const { document, lineOf } = await readHandedIn(context, file);
  const plan = planChanges(document, await withDatabase(context.environment, readStateAlone), prune);
  for (const { path, sentence } of unusualPrices(document))
    context.terminal.report(`${file}:${lineOf(path)}: ${pathText(path)} ${sentence}\n`);
  if (plan.faults.length > 0)
    failWith(
      context,
      file,
      plan.faults.map((one) => ({ ...one, line: lineOf(one.path) })),
    );
  await report(context, plan, 'different');
  if (plan.changes.length > 0) throw new Different();
}
