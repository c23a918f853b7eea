import type { Fault } from './position.ts';
import { type Reference, referencesIn } from './reference.ts';
import {
  type Configuration,
  checkYaml,
  configurationShape,
  isEndpointName,
  MEMBERS,
  NEEDS_GATEWAY,
  SHAPE_FIXES,
} from './shape.ts';
import { readYaml, type YamlText } from './yaml-text.ts';

/** A configuration file that was read. */
export interface ReadConfiguration {
  /** Null where something in it is wrong. */
  readonly value: Configuration | null;
  readonly faults: readonly Fault[];
  readonly references: readonly Reference[];
  readonly yaml: YamlText;
}

/**
 * Reads the text of a configuration: YAML with the members of `configurationShape`, strictly, and values of the environment as
 * `${{ env.NAME }}`. They are not replaced here.
 * @param hasGateway whether a gateway is known without the file (GATEWAY_URL): an endpoint may then be a name.
 */
export function readConfiguration(text: string, hasGateway = false): ReadConfiguration {
  const yaml = readYaml(text);
  const { value, faults } = checkYaml(yaml, configurationShape, MEMBERS);
  const found = [...yaml.texts()].map(referencesIn);
  const nameless = hasGateway || value === null || value.gateway !== undefined ? [] : bareNames(value, yaml);
  const all = [...faults, ...nameless, ...found.flatMap((each) => each.faults)];
  return {
    value: all.length === 0 ? value : null,
    faults: all,
    references: found.flatMap((each) => each.references),
    yaml,
  };
}

/** Endpoints that are names without a gateway to add them to. */
function bareNames({ models = [] }: Configuration, yaml: YamlText): readonly Fault[] {
  return models.flatMap(({ endpoint }, at): readonly Fault[] => {
    if (endpoint === undefined || !isEndpointName(endpoint)) return [];
    const path = ['models', at, 'endpoint'];
    return [{ ...yaml.placeOf(path), path, message: NEEDS_GATEWAY, fix: SHAPE_FIXES[NEEDS_GATEWAY] ?? '' }];
  });
}
