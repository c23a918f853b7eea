import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import { changed, fragmentOf, type Place, placeOf, type Words } from './place.ts';

/** The tab that is shown, also where the address names none. */
export const ShownTab = createContext('');

/** Words that hold in every tab of a surface: which project one looks at. */
const KEPT = ['project'];

const MOVED = 'console-place';

function subscribe(notice: () => void): () => void {
  for (const event of [MOVED, 'popstate', 'hashchange']) addEventListener(event, notice);
  return () => {
    for (const event of [MOVED, 'popstate', 'hashchange']) removeEventListener(event, notice);
  };
}

/** How a step is kept: as a step that the browser's back button undoes, or in the stead of the one before it. */
export interface Step {
  readonly replace?: boolean;
}

function move(place: Place, { replace = false }: Step): void {
  const fragment = fragmentOf(place);
  if (fragment === location.hash.slice(1)) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${fragment}`);
  dispatchEvent(new Event(MOVED));
}

/**
 * Where one is, from the address alone: a tab, its part, and what is chosen there. So a page that is loaded again shows what it
 * showed, the browser's back button works, and an address can be sent to a colleague.
 */
export function usePlace() {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const tab = useContext(ShownTab);
  const place = useMemo(() => placeOf(hash), [hash]);
  return {
    place,
    /** To a tab, or to a part of it, as it begins. */
    goTo: (next: string, part = '') => {
      move({ tab: next, part, words: new Map([...place.words].filter(([name]) => KEPT.includes(name))) }, {});
    },
    /** Changes words where one is. `within` is laid over what the others ask for: it sees the words as they are now. */
    choose: (
      changes: Readonly<Record<string, string | null>>,
      step: Step & { within?: (words: Words) => Words } = {},
    ) => {
      const now = placeOf(location.hash);
      const words = (step.within ?? ((same: Words) => same))(now.words);
      move({ ...now, tab: tab || now.tab, words: changed(words, changes) }, step);
    },
  };
}
