import { Paper, Select, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChoices } from '../../api/list.ts';
import { oneOf, useSearchParams } from '../../route/use-search-params.ts';
import { Fault } from '../../ui/fault.tsx';
import { many } from '../../ui/numbers.ts';

interface ChosenProject {
  /** Null while none is known, and where there is none. */
  readonly project: string | null;
  /** Chooses among several. */
  readonly choice: ReactNode;
  /** Shown instead of a project if there is none, or if none could be read. */
  readonly none: ReactNode;
}

/** The project whose surface is shown: the caller's own one, chosen where there are several, in the address. */
export function useProject(): ChosenProject {
  const { rows, query } = useChoices<{ project: string }>('/api/projects/own', 'projects');
  const { values, set } = useSearchParams({ project: oneOf(rows.map((row) => row.project)) });
  const project = values.project ?? rows[0]?.project ?? null;
  return {
    project,
    none: (
      <>
        <Fault error={query.error} retry={query.refetch} />
        {query.isSuccess && rows.length === 0 && (
          <Paper withBorder p="xl">
            <Text size="sm" ta="center">
              There is no project yet. A project starts with its first administrator or member.
            </Text>
          </Paper>
        )}
      </>
    ),
    choice: rows.length > 1 && (
      <Select
        aria-label="Project"
        size="xs"
        w={200}
        allowDeselect={false}
        {...many(rows.map((row) => ({ value: row.project, label: row.project })))}
        value={project}
        onChange={(chosen) => set('project', chosen)}
      />
    ),
  };
}
