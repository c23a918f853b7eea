/** Of one pattern: each multiplies the time that matching may take. */
export const MOST_WILDCARDS = 3;

/** Longer values of claims match nothing. */
const LONGEST_VALUE = 1000;

/** Whether a claim's value matches one of the patterns; of a list, one element suffices. */
export function claimMatches(value: unknown, patterns: string | readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((element) => !Array.isArray(element) && claimMatches(element, patterns));
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const text = String(value);
  return text.length <= LONGEST_VALUE && [patterns].flat().some((pattern) => regexOf(pattern).test(text));
}

/** `*` matches any characters except `/`, `**` any characters. All others match themselves. */
function regexOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*+)/).map((part) => {
    if (part === '*') return '[^/]*';
    return part.startsWith('**') ? '.*' : part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'su');
}

/**
 * A claim by its name, or by a path through objects: `kubernetes.io/namespace` is the member `namespace` of the claim
 * `kubernetes.io`. A claim with the whole name takes precedence.
 */
export function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined;
  if (Object.hasOwn(claims, path)) return (claims as Record<string, unknown>)[path];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const name = path.slice(0, at);
    if (Object.hasOwn(claims, name)) return claimAt((claims as Record<string, unknown>)[name], path.slice(at + 1));
  }
  return undefined;
}
