import { type SetStateAction, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { Dialog } from './layer.tsx';

/** The form that is or was open: its initial values, and the properties of its dialog. */
interface Edited<Thing> {
  readonly thing: Thing;
  /** A number that each opening has to itself: the form begins again with it. */
  readonly opening: number;
  readonly dialog: Dialog;
}

/**
 * The one form that edits an object of a list. It is beside the list, not in a row: if the row is deleted meanwhile, the form
 * keeps the input and shows the refusal. It is mounted closed to record the focus, which returns there or to the table.
 */
export function useEditing<Thing>(): {
  readonly edited: Edited<Thing> | null;
  readonly edit: (thing: Thing) => void;
} {
  const [state, setState] = useState<{ thing: Thing; opening: number; opened: boolean } | null>(null);
  const opener = useRef<{ button: Element | null; table: HTMLElement | null }>({ button: null, table: null });
  const set = (opened: boolean) => setState((now) => (now === null ? null : { ...now, opened }));
  return {
    edited: state && {
      thing: state.thing,
      opening: state.opening,
      dialog: {
        opened: state.opened,
        close: () => set(false),
        onExited() {
          if (opener.current.button?.isConnected === false) opener.current.table?.focus();
        },
      },
    },
    edit: (thing) => {
      const button = document.activeElement;
      opener.current = { button, table: button?.closest<HTMLElement>('[role=group][tabindex]') ?? null };
      flushSync(() => setState((now) => ({ thing, opening: (now?.opening ?? 0) + 1, opened: false })));
      set(true);
    },
  };
}

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
