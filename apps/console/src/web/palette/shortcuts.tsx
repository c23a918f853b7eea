import { Group, Kbd, Stack, Switch, Table, Text } from '@mantine/core';
import type { Tab } from '../tabs/tab.ts';
import { type Dialog, Layer } from '../ui/layer.tsx';
import { useAreSingleKeysOn } from './use-shortcuts.ts';

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
