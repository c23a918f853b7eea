import { refusal, sentenceOf } from '@gateway/contract';
import { type Act, operate } from '@gateway/database/audit-log/act';
import { type Violation, violationOf } from '@gateway/database/client/conditions';
import {
  type ConfigurationChange,
  type Plan,
  planChanges,
  recordRefusedPolicies,
  report,
  lineOf as textOf,
} from '../configuration/differences.ts';
import { configurationJsonSchema, pathText, writeConfiguration } from '../configuration/read.ts';
import {
  documentOf,
  failWith,
  readHandedIn,
  readState,
  readStateAlone,
  unusualPrices,
} from '../configuration/state.ts';
import { CommandFailed, type Context, Different, print } from '../context/context.ts';
import { withAct, withOperator } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';

export interface ApplyOptions {
  readonly author?: string;
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** Carries the result out of a transaction that is rolled back. */
class RolledBack {
  readonly plan: Plan;
  constructor(plan: Plan) {
    this.plan = plan;
  }
}

/** `apply FILE`: all changes and their entries in the administration log, or none of them. */
export async function runApply(context: Context, file: string, options: ApplyOptions): Promise<void> {
  const { author, prune = false, dryRun = false, force = false } = options;
  const { document, lineOf } = await readHandedIn(context, file, async (value, faults) => {
    if (dryRun) return;
    await withAct(context, author, (act) => recordRefusedPolicies(act, value, faults));
  });
  const unusual = force ? [] : unusualPrices(document);
  if (unusual.length > 0)
    failWith(
      context,
      file,
      unusual.map((one) => ({ ...one, line: lineOf(one.path) })),
    );
  const plan = await withOperator(context, author, async (sql, operator) => {
    try {
      return await operate(sql, operator, async (act) => {
        await takeTurn(context, act);
        const planned = planChanges(document, await readState(act.sql), prune);
        if (planned.faults.length > 0) throw new RolledBack(planned);
        for (const change of planned.changes) await perform(act, change);
        if (dryRun) throw new RolledBack(planned);
        return planned;
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.plan;
      throw error;
    }
  });
  if (plan.faults.length > 0)
    failWith(
      context,
      file,
      plan.faults.map((one) => ({ ...one, line: lineOf(one.path) })),
    );
  await report(context, plan, dryRun ? 'dry run' : 'applied');
}

/**
 * Lock: one `apply` at a time, and no other change of what was compared until it ends. Readers (every relayed call) do not
 * wait.
 */
async function takeTurn({ terminal }: Context, { sql }: Act): Promise<void> {
  const [turn] = await sql<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('configuration', 7333)) as free`;
  if (!turn?.free) {
    terminal.report('Another gatewayctl apply is running on this database. Waiting until it ends.\n');
    await sql`select pg_advisory_xact_lock(hashtextextended('configuration', 7333))`;
  }
  await sql`lock table providers, models, endpoints, plans, role_assignments, project_members, organizations
    in share row exclusive mode`;
}

async function perform(act: Act, change: ConfigurationChange): Promise<void> {
  try {
    await change.perform(act);
  } catch (error) {
    const violated = violationOf(error);
    if (violated === undefined) throw error;
    throw new CommandFailed(`"${textOf(change)}" was refused: ${causeOf(violated, change)}. Nothing was changed.`);
  }
}

function causeOf({ kind, constraint }: Violation, { action }: ConfigurationChange): string {
  if (kind === 'reference' && action === 'delete') {
    return 'something that stays refers to it. Add the section of what refers to it to the file, or keep it';
  }
  if (constraint === 'administration_excludes_audit') return sentenceOf(refusal('roles-exclude')).replace(/\.$/, '');
  return kind === 'taken' ? 'its name is taken' : `the database does not allow it (${constraint})`;
}

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

/** `export`: the configuration in the form that `diff` and `apply` take. No keys: engines' are named by variable, accounts by name. */
export async function runExport(context: Context): Promise<void> {
  const document = documentOf(await withDatabase(context.environment, readStateAlone));
  await print(context, document, [writeConfiguration(document).trimEnd()]);
}

/** `schema`: what an editor needs to complete and check a configuration file. */
export async function runSchema(context: Context): Promise<void> {
  const schema = configurationJsonSchema();
  await print(context, schema, [JSON.stringify(schema, null, 2)]);
}
