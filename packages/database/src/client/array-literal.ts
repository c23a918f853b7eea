/**
 * PostgreSQL's text form of a one-dimensional array. Each list is one parameter, which costs the client less than one parameter
 * per value, and needs one prepared statement for batches of every size.
 */
export function arrayLiteral(values: readonly (string | number | bigint | boolean | null)[]): string {
  const items: string[] = [];
  let before: (typeof values)[number] | undefined;
  let item = '';
  for (const value of values) {
    // Entries of one batch mostly agree: the same endpoint, outcome, roles.
    if (value !== before) item = itemOf(value);
    before = value;
    items.push(item);
  }
  return `{${items.join(',')}}`;
}

/** Texts that need no quotes: identifiers, digests, instants, but not a word, which might be NULL. */
const BARE = /^[0-9][0-9a-f:.TZ-]*$/;

function itemOf(value: string | number | bigint | boolean | null): string {
  if (typeof value !== 'string') return value === null ? 'NULL' : String(value);
  if (BARE.test(value)) return value;
  return value.includes('"') || value.includes('\\') ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

/** What is quoted, with a backslash before what would end it, or a bare word. */
const ITEM = /"((?:[^"\\]|\\.)*)"|[^{},]+/gs;

/** The texts of an array as the server writes it. */
export function textsOf(literal: string): (string | null)[] {
  return Array.from(literal.matchAll(ITEM), ([bare, quoted]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1');
    return bare === 'NULL' ? null : bare;
  });
}
