/**
 * PostgreSQL's text form of a one-dimensional array. Lists go to the server as one parameter each, which costs the client
 * less than a parameter a value, and keeps one prepared statement for batches of every size.
 */
export function arrayLiteral(values: readonly (string | number | bigint | boolean | null)[]): string {
  let text = '{';
  let before: (typeof values)[number] | undefined;
  let item = '';
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as (typeof values)[number];
    // Entries of one batch mostly agree: the same endpoint, outcome, roles.
    if (value !== before) item = itemOf(value);
    before = value;
    text += at === 0 ? item : `,${item}`;
  }
  return `${text}}`;
}

function itemOf(value: string | number | bigint | boolean | null): string {
  if (typeof value !== 'string') return value === null ? 'NULL' : String(value);
  return value.includes('"') || value.includes('\\') ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

/** The text form of a bytea. */
export function byteaLiteral(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}
