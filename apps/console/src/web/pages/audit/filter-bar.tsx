import { Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { Filters } from '../../api/list.ts';

/** Filters of a list by exact value; what is typed counts once the typing pauses. */
export function useFilterBar(
  names: Readonly<Record<string, string>>,
  more?: ReactNode,
): { filters: Filters; bar: ReactNode } {
  const [values, setValues] = useState<Record<string, string>>({});
  const [filters] = useDebouncedValue(values, 300);
  return {
    filters,
    bar: (
      <Group gap="xs" role="search">
        {Object.entries(names).map(([name, label]) => (
          <TextInput
            key={name}
            size="xs"
            w={170}
            placeholder={label}
            aria-label={label}
            value={values[name] ?? ''}
            onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value.trim() }))}
          />
        ))}
        {more}
      </Group>
    ),
  };
}
