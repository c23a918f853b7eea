import { editsBetween } from '@gateway/contract/edit-distance';
import type { Schema } from '../schema/index.ts';
import type { Fault } from './position.ts';
import { SHAPE_FIXES } from './shape.ts';
import type { YamlText } from './yaml-text.ts';

/** The value that a text states, or null where something in it is wrong; and all that is wrong, in the order of the text. */
export interface Checked<T> {
  readonly value: T | null;
  readonly faults: readonly Fault[];
}

/**
 * Checks a text of YAML with its schema. Unknown members are refused with their position.
 * @param members names that the shape knows, to suggest a correction of a misspelled one.
 */
export function checkYaml<T>(yaml: YamlText, shape: Schema<T>, members: readonly string[]): Checked<T> {
  if (yaml.data === undefined || yaml.faults.length > 0) return { value: null, faults: yaml.faults };
  const checked = shape.check(yaml.data);
  if (checked.ok) return { value: checked.value, faults: [] };
  const faults = checked.issues.map(({ path, message, unknown }): Fault => {
    if (unknown === undefined)
      return { ...yaml.placeOf(path), path, message, fix: SHAPE_FIXES[message] ?? 'Correct it.' };
    return {
      ...yaml.placeOfName(path, unknown),
      path: [...path, unknown],
      message: 'is not a known member',
      fix: fixOf(unknown, members),
    };
  });
  return { value: null, faults: faults.sort((one, other) => one.line - other.line || one.column - other.column) };
}

function fixOf(key: string, members: readonly string[]): string {
  const near = members.find((member) => editsBetween(member.toLowerCase(), key.toLowerCase(), 2) <= 2);
  return near === undefined ? 'Remove it.' : `Did you mean "${near}"? Otherwise remove it.`;
}
