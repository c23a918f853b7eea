import {
  Anchor,
  Box,
  Group,
  Kbd,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent as KeyEvent, useEffect, useId, useRef, useState } from 'react';
import { mayIn, SIGN_OUT, useSession } from './api/queries.ts';
import { useGatewayUrl } from './pages/endpoints/snippets.tsx';
import classes from './palette/palette.module.css';
import { LONGEST_TEXT, looksLikeKey } from './route/use-search-params.ts';
import type { Jump, Tab } from './tabs/tab.ts';
import { type Dialog, Layer } from './ui/layer.tsx';

/** Something that the command palette does. */
export interface Command {
  readonly label: string;
  /** Its target or kind. */
  readonly note: string;
  /** What else people call it. */
  readonly keywords: string;
  readonly run: () => void;
}

const termsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** How well a command matches the typed text: 0 if a word matches nothing of it. */
function fit({ label, note, keywords }: Command, asked: readonly string[]): number {
  const own = termsOf(label);
  const others = termsOf(`${note} ${keywords}`);
  let sum = 0;
  for (const word of asked) {
    const isOwn = own.some((one) => one.startsWith(word));
    if (!isOwn && !others.some((one) => one.startsWith(word))) return 0;
    sum += isOwn ? 2 : 1;
  }
  // What begins as it was typed comes first, and a whole name before a longer one.
  return sum + (own.join(' ').startsWith(asked.join(' ')) ? 1 : 0) + 1 / (own.length + 1);
}

/** The commands that contain every typed word as the beginning of a word; best first. All commands if nothing was typed. */
export function matching(commands: readonly Command[], typed: string): readonly Command[] {
  const asked = termsOf(typed);
  if (asked.length === 0) return commands;
  return commands
    .map((command) => ({ command, score: fit(command, asked) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ command }) => command);
}

const go = (to: string) => () => {
  if (to.startsWith('/')) location.assign(to);
  else location.hash = to;
};

/** A search for a name as it was typed, where it can be searched for. */
function searches(typed: string, tabs: readonly Tab[], readsLog: boolean): readonly Command[] {
  const name = typed.trim();
  if (name === '' || name.length > LONGEST_TEXT || looksLikeKey(name)) return [];
  const has = (tab: string) => tabs.some(({ identifier }) => identifier === tab);
  const of = (label: string, to: string, word: string): Command => ({
    label: `${label} “${name}”`,
    note: 'Search',
    keywords: '',
    run: go(`${to}?${new URLSearchParams({ [word]: name })}`),
  });
  return [
    ...(has('users') ? [of('Users named', 'users', 'search')] : []),
    ...(has('endpoints') ? [of('People and roles of', 'governance/roles', 'search')] : []),
    ...(has('audit') && readsLog ? [of('Decisions about', 'audit/decisions', 'subject')] : []),
  ];
}

/** All commands of the palette on a surface, for the typed text. */
function useCommands(typed: string, surface: string, tabs: readonly Tab[], help: () => void): readonly Command[] {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const queries = useQueryClient();
  const session = useSession();
  const may = ({ isOfSharedPair, needs }: Pick<Jump, 'isOfSharedPair' | 'needs'>): boolean =>
    isOfSharedPair === true
      ? session?.subject === null
      : needs === undefined || (session !== undefined && mayIn(session, needs));
  const other = scheme === 'dark' ? 'light' : 'dark';
  const destinations: Command[] = [
    ...(surface === '/'
      ? [{ label: 'Overview', note: 'Page', keywords: 'home status start', run: go('overview') }]
      : []),
    ...tabs.map(({ identifier, label }) => ({ label, note: 'Page', keywords: identifier, run: go(identifier) })),
    ...tabs.flatMap(({ label: note, jumps }) =>
      jumps.filter(may).map(({ label, to, keywords = '' }) => ({ label, note, keywords, run: go(to) })),
    ),
  ];
  const general: Command[] = [
    { label: 'Refresh', note: 'Console', keywords: 'read again reload', run: () => void queries.invalidateQueries() },
    {
      label: `Switch to the ${other} colours`,
      note: 'Console',
      keywords: 'theme dark light mode',
      run: () => setColorScheme(other),
    },
    { label: 'Keyboard shortcuts', note: 'Console', keywords: 'help keys', run: help },
    { label: 'Sign out', note: 'Console', keywords: 'log out leave', run: go(SIGN_OUT) },
  ];
  return [...matching([...destinations, ...general], typed), ...searches(typed, tabs, may({ needs: 'journal:lire' }))];
}

export interface PaletteProps extends Dialog {
  readonly surface: string;
  readonly tabs: readonly Tab[];
  readonly help: () => void;
}

/** Finds a page, an action or a name, and goes there: by keyboard alone, or by pointer. */
export function Palette({ surface, tabs, help, ...dialog }: PaletteProps) {
  return (
    <Layer {...dialog} title="Go to" size="lg" padding="sm">
      <Finder surface={surface} tabs={tabs} help={help} close={dialog.close} />
    </Layer>
  );
}

function Finder({ surface, tabs, help, close }: Omit<PaletteProps, 'opened' | 'onExited'>) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const commands = useCommands(typed, surface, tabs, help);
  const run = (at: number) => {
    const command = commands[at];
    if (command === undefined) return;
    close();
    command.run();
  };
  const move = (to: number) => {
    const next = (to + commands.length) % Math.max(1, commands.length);
    setChosen(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyEvent) => {
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(chosen + 1),
      ArrowUp: () => move(chosen - 1),
      Enter: () => run(chosen),
    };
    const act = keys[event.key];
    if (act === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };
  return (
    <>
      <TextInput
        data-autofocus
        aria-label="Page, action or name"
        placeholder="Page, action or name"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        {...(commands.length > 0 ? { 'aria-activedescendant': `${id}-${chosen}` } : {})}
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Box id={id} role="listbox" aria-label="Found" mt="xs" className={classes['list'] ?? ''}>
        {commands.map(({ label, note }, at) => (
          <Group
            key={`${note} ${label}`}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === chosen}
            className={classes['option'] ?? ''}
            justify="space-between"
            wrap="nowrap"
            gap="sm"
            onPointerMove={() => setChosen(at)}
            onClick={() => run(at)}
          >
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {label}
            </Text>
            <Text size="xs" className={classes['note'] ?? ''}>
              {note}
            </Text>
          </Group>
        ))}
      </Box>
      {commands.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          Nothing has this name.
        </Text>
      )}
    </>
  );
}

/** A link to the manual's page about the current tab; the gateway serves the manual. */
export function ManualLink({ tab, part }: { tab: Pick<Tab, 'label' | 'manual' | 'manuals'>; part: string }) {
  const { url } = useGatewayUrl();
  const { manuals = {} } = tab;
  const page = Object.hasOwn(manuals, part) ? manuals[part] : tab.manual;
  return (
    <Anchor
      size="sm"
      href={`${url}/v/${page}`}
      target="_blank"
      rel="noreferrer"
      aria-label={`Manual: ${tab.label}, in a new tab`}
      pb={8}
      style={{ flexShrink: 0 }}
    >
      Manual
    </Anchor>
  );
}

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
