import type { ReadConfiguration } from './configuration.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { referencesIn } from './reference.ts';
import { configurationShape, isEndpointName } from './shape.ts';

export type QuicklyRead = Pick<ReadConfiguration, 'value' | 'faults' | 'references'>;

/** As `readConfiguration`, which is loaded only where the text is no plain YAML or something in it is wrong. */
export async function readQuickly(text: string, hasGateway: boolean): Promise<QuicklyRead> {
  return (
    plainConfiguration(text, hasGateway) ?? (await import('./configuration.ts')).readConfiguration(text, hasGateway)
  );
}

function plainConfiguration(text: string, hasGateway: boolean): QuicklyRead | null {
  const plain = readPlainYaml(text);
  const value = plain === null ? null : configurationShape.valueOf(plain.data);
  if (plain === null || value === null) return null;
  const isNameless = !hasGateway && value.gateway === undefined;
  if (isNameless && value.models?.some(({ endpoint }) => endpoint !== undefined && isEndpointName(endpoint)) === true)
    return null;
  const found = plain.texts.map(referencesIn);
  return found.some(({ faults }) => faults.length > 0)
    ? null
    : { value, faults: [], references: found.flatMap(({ references }) => references) };
}
