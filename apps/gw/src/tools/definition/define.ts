import * as z from 'zod';
import type { JsonSchemaObject, Tool, ToolContext } from '../../agent/types.ts';
import { placeOf } from '../../permissions/bash/places.ts';

/** A tool whose schema for the model and whose check of the arguments are one. */
export function defineTool<Schema extends z.ZodObject>(
  definition: Omit<Tool<z.infer<Schema>>, 'parameters' | 'parse'> & { readonly schema: Schema },
): Tool {
  const { schema, ...tool } = definition;
  const { properties = {}, required } = z.toJSONSchema(schema);
  const parameters: JsonSchemaObject = {
    type: 'object',
    properties: properties as JsonSchemaObject['properties'],
    ...(required === undefined ? {} : { required }),
  };
  return {
    ...tool,
    parameters,
    parse(raw: unknown) {
      const read = schema.safeParse(raw);
      if (read.success) return { ok: true, args: read.data };
      const faults = read.error.issues.map(
        ({ path, message }) => `${path.length === 0 ? 'the arguments' : path.join('.')}: ${message}`,
      );
      const names = Object.entries(properties).map(([name]) => (required?.includes(name) === true ? name : `${name}?`));
      return {
        ok: false,
        message: `${definition.name} was not run. ${faults.join('; ')}. It takes ${names.join(', ') || 'no arguments'}.`,
      };
    },
  };
}

/** The file that a call names: absolute, links resolved, as it was judged. */
export async function fileOf(path: string, { project, cwd }: ToolContext): Promise<string> {
  return (await placeOf(path, project, cwd)).path;
}
