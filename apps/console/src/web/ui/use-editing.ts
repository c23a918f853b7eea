import { useRef, useState } from 'react';
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
