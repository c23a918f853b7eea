import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { WithOwnFaults } from './fault.tsx';

/** The dialogs that are open, the topmost last. */
let open: readonly string[] = [];
const notices = new Set<() => void>();

/** Where the keyboard was before the first of them was opened. */
let opener: HTMLElement | null = null;

/** The focus returns to its previous element, or to the dialog below if that element was removed with a dialog. */
function giveFocusBack(): void {
  const below = [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1);
  if (document.activeElement === document.body) (below ?? opener)?.focus({ preventScroll: true });
  if (below === undefined && open.length === 0) opener = null; // the next one may be opened from nowhere: not every browser focuses what is clicked
}

function change(next: readonly string[]): void {
  open = next;
  for (const notice of notices) notice();
}

function subscribe(notice: () => void): () => void {
  notices.add(notice);
  return () => notices.delete(notice);
}

/** Whether a dialog is the topmost one. */
function useIsTopmost(opened: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!opened) return undefined;
    const active = document.activeElement;
    // One that follows another finds the keyboard in that, or nowhere: the button that was pressed there is disabled.
    const before =
      active instanceof HTMLElement && active !== document.body && active.closest('[role=dialog]') === null;
    if (open.length === 0 && before) opener = active;
    change([...open, id]);
    return () => change(open.filter((other) => other !== id));
  }, [opened, id]);
  return useSyncExternalStore(subscribe, () => open.at(-1)) === id;
}

/** Properties of a dialog. */
export interface Dialog {
  readonly opened: boolean;
  readonly close: () => void;
  /** Called once it is removed from the page. */
  readonly onExited?: (() => void) | undefined;
}

export interface LayerProps extends Omit<ModalProps, 'opened' | 'onClose' | 'onExitTransitionEnd'>, Dialog {
  /** Whether something is under way whose answer would be lost with the dialog: it stays until that has come. */
  readonly isBusy?: () => boolean;
}

/** A dialog. Escape closes only the topmost one: one that asks, or shows a key, is often above another. */
export function Layer({ isBusy = () => false, close, closeOnEscape = true, onExited, ...props }: LayerProps) {
  const isTopmost = useIsTopmost(props.opened);
  // One that is removed while it is open has no exit to wait for.
  const isOpen = useRef(props.opened);
  isOpen.current = props.opened;
  useEffect(() => () => void (isOpen.current && setTimeout(giveFocusBack, 30)), []);
  return (
    <WithOwnFaults>
      <Modal
        {...props}
        closeOnEscape={closeOnEscape && isTopmost}
        onClose={() => !isBusy() && close()}
        onExitTransitionEnd={() => {
          onExited?.();
          // After the library restored the focus to the element that had it before this one was opened.
          setTimeout(giveFocusBack, 30);
        }}
      />
    </WithOwnFaults>
  );
}

/**
 * A dialog that is made when it is first opened: a table has some in every row, and most are never used. It is first mounted
 * closed, and then stays: only so can it record where the focus was, and restore it.
 */
export function useDialog(): {
  readonly opened: boolean;
  readonly made: boolean;
  readonly open: () => void;
  readonly close: () => void;
} {
  const [state, setState] = useState<'unmade' | 'closed' | 'opened'>('unmade');
  return {
    opened: state === 'opened',
    made: state !== 'unmade',
    open() {
      flushSync(() => setState('closed'));
      setState('opened');
    },
    close: () => setState('closed'),
  };
}
