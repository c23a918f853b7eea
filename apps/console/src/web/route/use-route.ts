import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';

/** The tab that is shown, also where the address names none. */
export const ShownTab = createContext('');

/** Parameters that apply to every tab of a surface: the selected project. */
const KEPT = ['project'];

const MOVED = 'console-route';

function subscribe(notice: () => void): () => void {
  for (const event of [MOVED, 'popstate', 'hashchange']) addEventListener(event, notice);
  return () => {
    for (const event of [MOVED, 'popstate', 'hashchange']) removeEventListener(event, notice);
  };
}

/** How a step enters the browser's history: as a new entry, or replacing the current one. */
export interface Step {
  readonly replace?: boolean;
}

function move(route: Route, { replace = false }: Step): void {
  const fragment = formatRoute(route);
  if (fragment === location.hash.slice(1)) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${fragment}`);
  dispatchEvent(new Event(MOVED));
}

/**
 * The current location, from the address only: a tab, its part, and its parameters. So a reload shows the same page, the
 * browser's back button works, and an address can be sent to a colleague.
 */
export function useRoute() {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const tab = useContext(ShownTab);
  const route = useMemo(() => parseRoute(hash), [hash]);
  return {
    route,
    /** To a tab, or to a part of it, as it begins. */
    goTo: (next: string, part = '') => {
      move({ tab: next, part, params: new Map([...route.params].filter(([name]) => KEPT.includes(name))) }, {});
    },
    /** Changes parameters of the current location. `within` first maps the parameters as they are at the call. */
    setParams: (
      changes: Readonly<Record<string, string | null>>,
      step: Step & { within?: (params: Params) => Params } = {},
    ) => {
      const now = parseRoute(location.hash);
      const params = (step.within ?? ((same: Params) => same))(now.params);
      move({ ...now, tab: tab || now.tab, params: withChanges(params, changes) }, step);
    },
  };
}

/** The surface that is shown, by its path, and the tabs that it has in this build. */
export const Surface = createContext<{ readonly path: string; readonly tabs: readonly string[] }>({
  path: '/',
  tabs: [],
});

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
type Params = ReadonlyMap<string, string>;

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
