import * as z from 'zod';
import { configurationSchema } from './document.ts';

/** The JSON schema of configuration files. `diff` and `apply` check the rest. */
export function configurationJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(configurationSchema, { io: 'input', unrepresentable: 'any' });
  return {
    $schema,
    title: 'Configuration of a gateway instance',
    description: 'Read by gatewayctl diff and gatewayctl apply, printed by gatewayctl export.',
    ...schema,
  };
}
