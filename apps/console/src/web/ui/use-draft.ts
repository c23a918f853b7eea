import { type SetStateAction, useSyncExternalStore } from 'react';

/** Unsent drafts, by name. */
const drafts = new Map<string, unknown>();
const notices = new Set<() => void>();

const subscribe = (notice: () => void) => {
  notices.add(notice);
  return () => notices.delete(notice);
};

/**
 * The browser asks before it leaves the page; only while there is an unsent draft, because it does not cache a page that asks.
 */
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Forgets all drafts. Tests that share a page begin without any. */
export function forgetDrafts(): void {
  for (const name of drafts.keys()) keep(name, null);
}

function keep(name: string, draft: unknown): void {
  if (draft === null) drafts.delete(name);
  else drafts.set(name, draft);
  if (drafts.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
  for (const notice of notices) notice();
}

/**
 * A long draft, or null: it outlives its component, so that visiting another tab loses nothing.
 * @param name identifies the draft
 */
export function useDraft<Draft>(name: string): readonly [Draft | null, (next: SetStateAction<Draft | null>) => void] {
  const read = () => (drafts.get(name) ?? null) as Draft | null;
  const draft = useSyncExternalStore(subscribe, read);
  const set = (next: SetStateAction<Draft | null>) =>
    keep(name, typeof next === 'function' ? (next as (now: Draft | null) => Draft | null)(read()) : next);
  return [draft, set];
}
