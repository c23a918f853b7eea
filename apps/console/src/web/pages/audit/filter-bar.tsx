import { Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { Filters } from '../../api/list.ts';

const BOUNDS = { from: 'From', until: 'Until' } as const;

/** Filters of a list by exact value and by period (UTC); what is typed counts once the typing pauses. */
export function useFilterBar(
  names: Readonly<Record<string, string>>,
  options: { more?: ReactNode; period?: boolean } = {},
): { filters: Filters; bar: ReactNode } {
  const [values, setValues] = useState<Record<string, string>>({});
  const [filters] = useDebouncedValue(values, 300);
  const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
  return {
    filters,
    bar: (
      <Group gap="xs" role="search">
        {Object.entries(names).map(([name, label]) => (
          <TextInput
            key={name}
            size="xs"
            style={{ flex: '1 1 130px', maxWidth: 200 }}
            placeholder={label}
            aria-label={label}
            value={values[name] ?? ''}
            onChange={({ currentTarget: { value } }) => set(name, value.trim())}
          />
        ))}
        {options.more}
        {options.period === true &&
          Object.entries(BOUNDS).map(([name, label]) => (
            <TextInput
              key={name}
              size="xs"
              type="datetime-local"
              style={{ flex: '1 1 220px', maxWidth: 260 }}
              aria-label={`${label} (UTC)`}
              leftSection={<Text size="xs">{label}</Text>}
              leftSectionWidth={44}
              value={(values[name] ?? '').replace(/:00Z$/, '')}
              onChange={({ currentTarget: { value } }) => set(name, value === '' ? '' : `${value}:00Z`)}
            />
          ))}
      </Group>
    ),
  };
}
