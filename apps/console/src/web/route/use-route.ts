import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import { formatRoute, type Params, parseRoute, type Route, withChanges } from './route.ts';

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
