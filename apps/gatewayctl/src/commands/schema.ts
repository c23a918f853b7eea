import { configurationJsonSchema } from '../configuration/schema.ts';
import { type Context, print } from '../context/context.ts';

/** `schema`: what an editor needs to complete and check a configuration file. */
export async function runSchema(context: Context): Promise<void> {
  const schema = configurationJsonSchema();
  await print(context, schema, [JSON.stringify(schema, null, 2)]);
}
