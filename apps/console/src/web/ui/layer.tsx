import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useId, useSyncExternalStore } from 'react';

/** The dialogs that are open, the topmost last. */
let open: readonly string[] = [];
const notices = new Set<() => void>();

function change(next: readonly string[]): void {
  open = next;
  for (const notice of notices) notice();
}

function subscribe(notice: () => void): () => void {
  notices.add(notice);
  return () => notices.delete(notice);
}

/** Whether a dialog lies above all others. */
function useIsTopmost(opened: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!opened) return undefined;
    change([...open, id]);
    return () => change(open.filter((other) => other !== id));
  }, [opened, id]);
  return useSyncExternalStore(subscribe, () => open.at(-1)) === id;
}

export interface LayerProps extends ModalProps {
  /** Something is under way whose answer would be lost with the dialog: it stays until that has come. */
  readonly busy?: boolean;
}

/** A dialog. Escape closes the topmost one alone: one that asks, or shows a key, often lies above another. */
export function Layer({ busy = false, onClose, closeOnEscape = true, ...props }: LayerProps) {
  const isTopmost = useIsTopmost(props.opened);
  return <Modal {...props} closeOnEscape={closeOnEscape && isTopmost} onClose={() => !busy && onClose()} />;
}
