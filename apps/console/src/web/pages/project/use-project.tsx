import { Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChoices } from '../../api/list.ts';
import { Fault } from '../../ui/fault.tsx';
import { many } from '../../ui/many.ts';

/** The project whose surface is shown: the caller's own one, chosen where there are several. Null while none is known. */
export function useProject(): { project: string | null; choice: ReactNode } {
  const { rows, query } = useChoices<{ project: string }>('/api/projects/own', 'projects');
  const [chosen, setChosen] = useState<string | null>(null);
  const project = chosen ?? rows[0]?.project ?? null;
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
            onChange={setChosen}
          />
        )}
      </>
    ),
  };
}
