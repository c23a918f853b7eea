/** Headers that identify the caller and its address: given twice, one reader would use the first and another the last. */
const SINGLE = new Set(['authorization', 'cookie', 'host', 'origin', 'sec-fetch-site', 'x-api-key']);

/**
 * The first header that may occur once and occurs twice.
 * @param raw names and values in turn, as they came
 */
export function findRepeatedHeader(raw: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
