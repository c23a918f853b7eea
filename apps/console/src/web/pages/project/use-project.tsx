import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChoices } from '../../api/list.ts';
import { useWords } from '../../place/use-words.ts';
import { oneOf } from '../../place/words.ts';
import { Fault } from '../../ui/fault.tsx';
import { many } from '../../ui/many.ts';

/** The project whose surface is shown: the caller's own one, chosen where there are several, in the address. Null while none is known. */
export function useProject(): { project: string | null; choice: ReactNode } {
  const { rows, query } = useChoices<{ project: string }>('/api/projects/own', 'projects');
  const { values, set } = useWords({ project: oneOf(rows.map((row) => row.project)) });
  const project = values.project ?? rows[0]?.project ?? null;
  return {
    project,
    choice: (
      <>
        <Fault error={query.error} retry={query.refetch} />
        {rows.length > 1 && (
          <Select
            aria-label="Project"
            size="xs"
            w={200}
            allowDeselect={false}
            {...many(rows.map((row) => ({ value: row.project, label: row.project })))}
            value={project}
            onChange={(chosen) => set('project', chosen)}
          />
        )}
      </>
    ),
  };
}
