/**
 * What the keys of `paths`, `exports` or `imports` that fit a name map it to, the most exact key first.
 * `middle` is what the key's star stands for.
 */
export function fitting<T>(
  map: Readonly<Record<string, T>>,
  name: string,
): readonly { readonly value: T; readonly middle: string }[] {
  return Object.entries(map)
    .flatMap(([key, value]) => {
      const star = key.indexOf('*');
      if (star < 0) return key === name ? [{ value, middle: '', exactness: Number.POSITIVE_INFINITY }] : [];
      const tail = key.slice(star + 1);
      const fits = name.length >= star + tail.length && name.startsWith(key.slice(0, star)) && name.endsWith(tail);
      return fits ? [{ value, middle: name.slice(star, name.length - tail.length), exactness: star }] : [];
    })
    .toSorted((one, other) => other.exactness - one.exactness);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
