import { Box, Group, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import type { Tab } from '../tabs/tab.ts';
import { type Dialog, Layer } from '../ui/layer.tsx';
import classes from './palette.module.css';
import { useCommands } from './use-commands.ts';

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
  const onKeyDown = (event: KeyboardEvent) => {
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
