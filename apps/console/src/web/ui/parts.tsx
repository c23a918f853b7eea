import { SegmentedControl, Select, type SelectProps, Stack, Switch, type SwitchProps } from '@mantine/core';
import { type ComponentType, useEffect, useRef } from 'react';
import { type ChangeCall, useChange } from '../api/change.tsx';
import { useRoute } from '../route/use-route.ts';
import { type Choice, many } from './numbers.ts';

export interface PartsProps {
  /** The tab's identifier. */
  readonly of: string;
  /** The label of the choice, for screen readers. */
  readonly label: string;
  /** Selected by the address: `#audit/verification`. The first is shown if it names none of them. */
  readonly parts: Readonly<Record<string, { readonly label: string; readonly part: ComponentType }>>;
}

/** A tab of several parts, one of which is shown. */
export function Parts({ of, label, parts }: PartsProps) {
  const { route, goTo } = useRoute();
  const chosen = Object.entries(parts).find(([name]) => name === route.part) ?? Object.entries(parts)[0];
  const name = chosen?.[0] ?? '';
  const Part = chosen?.[1].part;
  // A small screen does not show all names: the chosen one is scrolled into view. `scrollIntoView` would also make the Tab key begin here.
  const names = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = names.current;
    const shown = list?.querySelector(`input[value="${name}"] + label`)?.getBoundingClientRect();
    if (list === null || shown === undefined) return;
    const { left, width } = list.getBoundingClientRect();
    list.scrollLeft += shown.left + shown.width / 2 - (left + width / 2);
  }, [name]);
  return (
    <Stack gap="lg">
      <div ref={names} style={{ overflowX: 'auto' }}>
        <SegmentedControl
          aria-label={label}
          data={Object.entries(parts).map(([value, part]) => ({ value, label: part.label }))}
          value={name}
          onChange={(next) => goTo(of, next)}
        />
      </div>
      {Part !== undefined && <Part />}
    </Stack>
  );
}

/** A switch in a row that changes the object at once, and shows a refusal. */
export function InlineSwitch({ change, ...look }: { change: () => ChangeCall } & SwitchProps) {
  const { mutate, isPending, error } = useChange();
  return <Switch {...look} aria-busy={isPending} error={error?.message} onChange={() => mutate(change())} />;
}

/** A choice of a row that is made at once. @param change to the value; null takes the choice away */
export function InlineSelect({
  choices,
  value,
  change,
  clearable = false,
  ...look
}: { choices: readonly Choice[]; value: string | null; change: (value: string | null) => ChangeCall } & Omit<
  SelectProps,
  'data' | 'value' | 'onChange'
>) {
  const { mutate, isPending, error } = useChange();
  return (
    <Select
      size="xs"
      {...look}
      {...many(choices)}
      aria-busy={isPending}
      value={value}
      clearable={clearable}
      // With it, choosing the same one again takes it away, which is the keyboard's way to do so.
      allowDeselect={clearable}
      // The selected text ends before the cross, not below it.
      styles={clearable && value !== null ? { input: { paddingRight: 50 } } : {}}
      title={choices.find((choice) => choice.value === value)?.label}
      error={error?.message}
      onChange={(next) => next !== value && mutate(change(next))}
    />
  );
}
