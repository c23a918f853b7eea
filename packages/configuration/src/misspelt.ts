import type { Environment, Variable } from './reading.ts';

/** How the names begin that are this product's alone: a `PORT` and a `HTTP_PROXY` are others' too. */
const OURS = /^(?:ADMIN|DATABASE|GATEWAY|OIDC|TLS|UPSTREAM)_/;

/**
 * One line for each unread variable with a name close to one that is read and not set. Never its value. Other variables are
 * ignored: they may contain a provider's key, belong to another program, or come from Kubernetes, which sets `GATEWAY_PORT` for a
 * service called gateway.
 * @param variables all that this program reads
 */
export function misspelt(environment: Environment, variables: readonly Variable[]): readonly string[] {
  const isSet = (name: string): boolean => (environment[name]?.trim() ?? '') !== '';
  const read = new Set(variables.map(({ name }) => name));
  const absent = [...read].filter((name) => OURS.test(name) && !isSet(name));
  const strangers = Object.keys(environment).filter((name) => !read.has(name) && isSet(name));
  return strangers.toSorted().flatMap((name) => {
    const [meant, another] = absent.filter((one) => isSlip(name, one) || isOtherLength(name, one));
    if (meant === undefined || another !== undefined) return [];
    return [`${name}: is not a setting. Did you mean ${meant}?`];
  });
}

/** One letter too many, too few or another one, or two neighbours exchanged. */
function isSlip(written: string, meant: string): boolean {
  const shorter = Math.min(written.length, meant.length);
  let start = 0;
  while (start < shorter && written[start] === meant[start]) start += 1;
  let end = 0;
  while (end < shorter - start && written.at(-1 - end) === meant.at(-1 - end)) end += 1;
  const [one, other] = [written.slice(start, written.length - end), meant.slice(start, meant.length - end)];
  return (one.length <= 1 && other.length <= 1) || (other.length === 2 && one === `${other[1]}${other[0]}`);
}

/** Omitted last words (`TLS_CERT`), or a last word written out (`GATEWAY_STATE_DIRECTORY`). */
function isOtherLength(written: string, meant: string): boolean {
  if (meant.startsWith(`${written}_`)) return OURS.test(written);
  return written.startsWith(meant) && !written.slice(meant.length).includes('_');
}
