import type { JsonSchemaObject, Tool, ToolContext } from '../agent/types/index.ts';
import { expandHome } from '../files/listing.ts';
import { resolvePath } from '../permissions/bash/resolved-path.ts';
import type { Infer, JsonSchema, ObjectSchema } from '../schema/index.ts';

/** A tool whose schema for the model and whose check of the arguments are one. */
export function defineTool<S extends ObjectSchema>(
  definition: Omit<Tool<Infer<S>>, 'parameters' | 'parse'> & { readonly schema: S },
): Tool {
  const { schema, ...tool } = definition;
  const { additionalProperties: _, ...parameters } = schema.json as JsonSchema & JsonSchemaObject;
  return {
    ...tool,
    parameters,
    parse(raw: unknown) {
      const read = schema.check(raw);
      if (read.ok) return { ok: true, args: read.value };
      const faults = read.issues.map(
        ({ path, message }) => `${path.length === 0 ? 'what was sent' : path.join('.')} ${message}`,
      );
      const { properties, required = [] } = parameters;
      const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
      return {
        ok: false,
        message: `${definition.name} was not run. ${faults.join('; ')}. It takes ${names.join(', ') || 'no arguments'}.`,
      };
    },
  };
}

/** The file that a call names: absolute, links resolved, as it was judged. */
export async function fileOf(path: string, { project, cwd, home }: ToolContext): Promise<string> {
  return (await resolvePath(expandHome(path, home ?? null), project, cwd)).path;
}
