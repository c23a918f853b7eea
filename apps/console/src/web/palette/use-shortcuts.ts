import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { Tab } from '../tabs/tab.ts';

/** How long the second key of a pair is waited for. */
const PAIR_MILLISECONDS = 1500;

/** Whether single keys are shortcuts. They can be turned off: speech input types them without intent. */
export const useAreSingleKeysOn = () =>
  useLocalStorage({ key: 'console-single-keys', defaultValue: true, getInitialValueInEffect: false });

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role=slider]') !== null
  );
}

/** What the keyboard does anywhere on the page. */
export interface Does {
  readonly palette: () => void;
  readonly help: () => void;
  readonly refresh: () => void;
  readonly goTo: (tab: string) => void;
}

/** Listens to the keyboard of the whole page: Ctrl or Command with K, and single keys outside fields and dialogs. */
export function useShortcuts(tabs: readonly Pick<Tab, 'identifier' | 'key'>[], does: Does): void {
  const [areSingleKeysOn] = useAreSingleKeysOn();
  const last = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.isComposing || event.altKey || document.querySelector('[aria-modal=true]') !== null) return;
      const act = (what: () => void) => (event.preventDefault(), what());
      if (event.ctrlKey || event.metaKey) {
        if (key.toLowerCase() === 'k' && !event.shiftKey) act(does.palette);
        return;
      }
      if (!areSingleKeysOn || isTyping(target)) return;
      const isSecond = event.timeStamp - last.current < PAIR_MILLISECONDS;
      last.current = key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const search = document.querySelector<HTMLInputElement>(
        'main input[placeholder^="Search"], main input[placeholder^="Name, or"]',
      );
      const tab = key === 'o' ? 'overview' : tabs.find((one) => one.key === key)?.identifier;
      if (isSecond && tab !== undefined) act(() => does.goTo(tab));
      else if (key === '?') act(does.help);
      else if (key === 'r') act(does.refresh);
      else if (key === '/' && search !== null) act(() => search.focus());
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}
