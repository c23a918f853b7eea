import { Group, Kbd, Stack, Switch, Table, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { Tab } from '../tabs/tab.ts';
import { type Dialog, Layer } from '../ui/layer.tsx';

/** On a Mac the key is another one. */
export const PALETTE_KEYS: readonly string[] = /Mac|iP(hone|ad)/.test(navigator.platform) ? ['⌘', 'K'] : ['Ctrl', 'K'];

/** What the keyboard does, and the switch for single keys. */
export function Shortcuts({ tabs, hasOverview, ...dialog }: { tabs: readonly Tab[]; hasOverview: boolean } & Dialog) {
  const [areOn, setAreOn] = useAreSingleKeysOn();
  const single: readonly (readonly [keys: readonly string[], does: string])[] = [
    [['?'], 'Show this list'],
    [['/'], 'Go to the search field of the page'],
    [['r'], 'Refresh what is shown'],
    ...(hasOverview ? [[['g', 'o'], 'Go to Overview'] as const] : []),
    ...tabs.map(({ key, label }) => [['g', key], `Go to ${label}`] as const),
  ];
  return (
    <Layer {...dialog} title="Keyboard shortcuts" size="md">
      <Stack>
        <Table aria-label="Keyboard shortcuts" verticalSpacing={6}>
          <Table.Tbody>
            <Row keys={PALETTE_KEYS} does="Find a page, an action or a name" />
            {areOn && single.map(([keys, does]) => <Row key={does} keys={keys} does={does} />)}
          </Table.Tbody>
        </Table>
        <Switch
          label="Single keys"
          description="Off, only the shortcuts with Ctrl or Command work."
          checked={areOn}
          onChange={({ currentTarget: { checked } }) => setAreOn(checked)}
        />
      </Stack>
    </Layer>
  );
}

function Row({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <Table.Tr>
      <Table.Td w={120}>
        <Group gap={4} wrap="nowrap">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{does}</Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** How long the second key of a pair is waited for. */
const PAIR_MILLISECONDS = 1500;

/** Whether single keys are shortcuts. They can be turned off: speech input types them without intent. */
const useAreSingleKeysOn = () =>
  useLocalStorage({ key: 'console-single-keys', defaultValue: true, getInitialValueInEffect: false });

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role=slider]') !== null
  );
}

/** What the keyboard does anywhere on the page. */
interface Does {
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
