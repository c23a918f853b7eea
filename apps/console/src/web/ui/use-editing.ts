import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Dialog } from './layer.tsx';

/** The form that is open, or was: what it began from, and what its dialog is told. */
interface Edited<Thing> {
  readonly thing: Thing;
  /** A number that each opening has to itself: the form begins again with it. */
  readonly opening: number;
  readonly dialog: Dialog;
}

/**
 * The one form of a list in which a thing of it is changed. It stands beside the list, not in a row of it: where somebody else takes
 * the row away meanwhile, the form stays with what was typed and says what was refused. It is made closed, so that it sees where the
 * focus was; closed again it gives the focus back there, or to the table where the row is gone.
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
