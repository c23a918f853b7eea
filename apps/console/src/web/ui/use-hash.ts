import { useSyncExternalStore } from 'react';

function subscribe(notice: () => void): () => void {
  addEventListener('hashchange', notice);
  return () => removeEventListener('hashchange', notice);
}

/** The address's fragment, so that a tab can be linked to and the browser's back button works. */
export function useHash(): [string, (next: string) => void] {
  const hash = useSyncExternalStore(subscribe, () => location.hash.slice(1));
  return [
    hash,
    (next) => {
      location.hash = next;
    },
  ];
}
