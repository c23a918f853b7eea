/** A target that every server reads unchanged: no percent codes, no empty or dot segments, no backslashes. */
const PLAIN = /^(?!.*(?:%|\/\/|\/\.|\\))/s;

/**
 * The possible readings of a request's target: as written; decoded; and with its dot segments resolved and its empty segments
 * dropped, in either order. The gateway relays the target byte for byte, and the engine's reading is unknown: a policy that
 * forbids any of them forbids the call.
 * @param target path and query, as written
 */
export function readingsOf(target: string): readonly string[] {
  if (PLAIN.test(target)) return [target];
  const end = target.indexOf('?');
  const path = decode(end === -1 ? target : target.slice(0, end));
  const query = end === -1 ? '' : decode(target.slice(end));
  const slashed = path.replaceAll('\\', '/');
  const paths = [path, resolveDots(slashed), merged(resolveDots(slashed)), resolveDots(merged(slashed))];
  return [...new Set([target, ...paths.map((one) => one + query)])];
}

/** Percent codes that are no UTF-8 stay unchanged. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

const merged = (path: string): string => path.replace(/\/{2,}/g, '/');

/** Without dot segments (RFC 3986 section 5.2.4). */
function resolveDots(path: string): string {
  const segments: string[] = [];
  const written = path.split('/').slice(1);
  for (const [at, segment] of written.entries()) {
    const isDots = segment === '.' || segment === '..';
    if (segment === '..') segments.pop();
    if (!isDots) segments.push(segment);
    else if (at === written.length - 1) segments.push('');
  }
  return `/${segments.join('/')}`;
}
