import { checkYaml } from './check.ts';
import type { Fault } from './place.ts';
import { type Reference, referencesIn } from './reference.ts';
import { type Configuration, configurationShape, MEMBERS } from './shape.ts';
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
 * Reads the text of a configuration: YAML with the members of `configurationShape`, strictly, and values of the
 * environment as `${{ env.NAME }}`. Nothing is put in their place here.
 */
export function readConfiguration(text: string): ReadConfiguration {
  const yaml = readYaml(text);
  const { value, faults } = checkYaml(yaml, configurationShape, MEMBERS);
  const found = [...yaml.texts()].map(referencesIn);
  const all = [...faults, ...found.flatMap((each) => each.faults)];
  return {
    value: all.length === 0 ? value : null,
    faults: all,
    references: found.flatMap((each) => each.references),
    yaml,
  };
}
