/**
 * Where one is in the console, as the address's fragment says it: `audit/decisions?subject=ada&page=2`. Servers never see it.
 * Small routers write the parameters of a fragment into the query, which proxies log.
 */
export interface Route {
  readonly tab: string;
  /** The part of the tab; empty where none is named. */
  readonly part: string;
  /** The parameters, by name: filters, a period, the page of a list. */
  readonly params: Params;
}
export type Params = ReadonlyMap<string, string>;

/** Longer than any cursor of the API. */
const LONGEST = 8000;

/** Parses any fragment; invalid parts are left out. The first of two parameters of one name counts. */
export function parseRoute(fragment: string): Route {
  const [, path = '', query = ''] = /^#?([^?]*)\??(.*)$/s.exec(fragment) ?? [];
  const [tab = '', part = ''] = path.split('/');
  const params = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query))
    if (!params.has(name) && value !== '' && value.length <= LONGEST && !/\p{Cc}/u.test(value)) params.set(name, value);
  return { tab, part, params };
}

export function formatRoute({ tab, part, params }: Route): string {
  const query = new URLSearchParams([...params]);
  return `${tab}${part === '' ? '' : `/${part}`}${query.size === 0 ? '' : `?${query}`}`;
}

/** Words with some of them changed; null or nothing takes one away. */
export function withChanges(params: Params, changes: Readonly<Record<string, string | null>>): Params {
  const next = new Map(params);
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  return next;
}

/** Where in its list a page begins. */
const POSITION = /(^|\.)(page|at)$/;

/** Words without the pages of lists: another choice begins at the first page again. */
export const fromTheFirstPage = (params: Params): Params =>
  new Map([...params].filter(([name]) => !POSITION.test(name)));
