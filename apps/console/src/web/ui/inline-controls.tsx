import { Select, type SelectProps, Switch, type SwitchProps } from '@mantine/core';
import { type Change, useChange } from '../api/change.ts';
import { type Choice, many } from './many.ts';

/** A switch of a row that changes what the row shows at once, and says what was refused. */
export function InlineSwitch({ change, ...look }: { change: () => Change } & SwitchProps) {
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
}: { choices: readonly Choice[]; value: string | null; change: (value: string | null) => Change } & Omit<
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
      // What is chosen ends before the cross, not below it.
      styles={clearable && value !== null ? { input: { paddingRight: 50 } } : {}}
      title={choices.find((choice) => choice.value === value)?.label}
      error={error?.message}
      onChange={(next) => next !== value && mutate(change(next))}
    />
  );
}
