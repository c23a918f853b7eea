import { documentOf, readStateAlone } from '../configuration/state.ts';
import { writeConfiguration } from '../configuration/write.ts';
import { type Context, print } from '../context/context.ts';
import { withDatabase } from '../operator/owner-database.ts';

/** `export`: the configuration in the form that `diff` and `apply` take. No keys: engines' are named by variable, accounts by name. */
export async function runExport(context: Context): Promise<void> {
  const document = documentOf(await withDatabase(context.environment, readStateAlone));
  await print(context, document, [writeConfiguration(document).trimEnd()]);
}
