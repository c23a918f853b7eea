import { withoutSchema } from './filter.ts';
import type { Members } from './user.ts';

/** What every answer contains, regardless of the requested attributes (RFC 7644, section 3.9). */
const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id']);

/** A resource with the attributes that a query asks for (`attributes`) or without those it leaves out (`excludedAttributes`). */
export function project(resource: Members, query: URLSearchParams): Members {
  const [wanted, unwanted] = [namesOf(query.get('attributes')), namesOf(query.get('excludedAttributes'))];
  if (wanted.length > 0) return select(resource, (path) => isNamed(wanted, path), ALWAYS);
  if (unwanted.length > 0) return select(resource, (path) => !unwanted.includes(path), ALWAYS);
  return resource;
}

function namesOf(list: string | null): readonly string[] {
  const names = (list ?? '').split(',').map((name) => withoutSchema(name.trim()).toLowerCase());
  return names.filter((name) => name !== '');
}

/** Whether an attribute, one of its parts, or the attribute it belongs to is named. */
function isNamed(names: readonly string[], path: string): boolean {
  return names.some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`));
}

function select(
  members: Members,
  isWanted: (path: string) => boolean,
  always: ReadonlySet<string>,
  below = '',
): Members {
  const kept = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const path = `${below}${name.toLowerCase()}`;
    if (always.has(name)) return [[name, value]];
    return isWanted(path) ? [[name, partsOf(value, isWanted, path)]] : [];
  });
  return Object.fromEntries(kept);
}

function partsOf(value: unknown, isWanted: (path: string) => boolean, path: string): unknown {
  const parts = (one: unknown): unknown =>
    typeof one === 'object' && one !== null ? select(one as Members, isWanted, new Set(), `${path}.`) : one;
  return Array.isArray(value) ? value.map(parts) : parts(value);
}
