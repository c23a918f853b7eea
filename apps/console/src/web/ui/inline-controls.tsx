import { Select, type SelectProps, Switch, type SwitchProps } from '@mantine/core';
import { type ChangeCall, useChange } from '../api/change.ts';
import { type Choice, many } from './many.ts';

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
