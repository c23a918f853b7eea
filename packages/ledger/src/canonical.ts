/** A value that JSON can represent. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A value that has no canonical form; the message names the path. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical';
}

function text(value: string, pointer: string): string {
  if (!value.isWellFormed()) throw new NotCanonical(`${pointer} holds half of a surrogate pair`);
  return JSON.stringify(value);
}

function object(value: JsonObject, pointer: string): string {
  // Sorted by UTF-16 code units, which is how JavaScript compares strings (RFC 8785 section 3.2.3).
  const members = Object.keys(value)
    .sort()
    .map((name) => `${text(name, pointer)}:${write(value[name], `${pointer}/${name}`)}`);
  return `{${members.join(',')}}`;
}

function write(value: JsonValue | undefined, pointer: string): string {
  switch (typeof value) {
    case 'string':
      return text(value, pointer);
    case 'number':
      if (!Number.isFinite(value)) throw new NotCanonical(`${pointer} is ${value}, which JSON cannot represent`);
      return JSON.stringify(value); // ECMAScript's shortest form is the one of RFC 8785 section 3.2.2.3; -0 becomes 0
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map((item, index) => write(item, `${pointer}/${index}`)).join(',')}]`;
      return object(value as JsonObject, pointer);
    default:
      throw new NotCanonical(`${pointer} is ${typeof value}, which JSON cannot represent`);
  }
}

/** Whether JSON.stringify writes an object canonically and completely: members sorted, only lists of texts nested. */
function isPlain(value: JsonObject): boolean {
  let before = '';
  for (const name in value) {
    if (name < before) return false;
    before = name;
    const part: unknown = value[name];
    if (typeof part === 'number' ? !Number.isFinite(part) : typeof part !== 'string' && typeof part !== 'boolean') {
      if (part !== null && !(Array.isArray(part) && part.every((item) => typeof item === 'string'))) return false;
    }
  }
  return true;
}

/** JSON.stringify's form of a lone surrogate. Texts that contain these characters literally use the slow path, too. */
const LONE_SURROGATE = '\\ud';

/**
 * The one JSON text of a value (RFC 8785): members sorted, no spacing, shortest numbers.
 * @throws NotCanonical for values that JSON cannot represent: undefined, NaN, a lone surrogate, a bigint, …
 */
export function canonicalJson(value: JsonValue): string {
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && isPlain(value as JsonObject)) {
    const text = JSON.stringify(value); // the same text, five times as quickly: a log is written and verified by the million
    if (!text.includes(LONE_SURROGATE)) return text;
  }
  return write(value, '');
}
