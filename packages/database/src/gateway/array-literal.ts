/**
 * PostgreSQL's text form of a one-dimensional array. Lists go to the server as one parameter each, which costs the client
 * less than a parameter a value, and keeps one prepared statement for batches of every size.
 */
export function arrayLiteral(values: readonly (string | number | bigint | boolean | null)[]): string {
  const items = values.map((value) => {
    if (value === null) return 'NULL';
    return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
  });
  return `{${items.join(',')}}`;
}

/** The text form of a bytea. */
export function byteaLiteral(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}
