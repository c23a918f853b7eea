import { Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useList } from '../../api/list.ts';
import { Fault } from '../../ui/fault.tsx';

/** The project whose surface is shown: the caller's own one, chosen where there are several. Null while none is known. */
export function useProject(): { project: string | null; choice: ReactNode } {
  const { rows, query } = useList<{ project: string }>('/api/projects/own', 'projects');
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
            data={rows.map((row) => row.project)}
            value={project}
            onChange={setChosen}
          />
        )}
      </>
    ),
  };
}
