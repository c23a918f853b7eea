import { List, Text } from '@mantine/core';
import { useRead } from '../../api/read.ts';
import { inWords } from '../../ui/time.tsx';

interface OwnRevision {
  readonly revision: number;
  readonly at: string;
  readonly names: readonly string[];
}

/** What the reader installed: revisions, with the names of the rules that were handed in. */
export function OwnRevisions() {
  const { data } = useRead<{ policies: readonly OwnRevision[] }>('/api/policies/own?limit=5');
  if (data === undefined || data.policies.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        What you installed
      </Text>
      <List size="sm">
        {data.policies.map(({ revision, at, names }) => (
          <List.Item key={revision}>
            Revision {revision}, {inWords(new Date(at))}: {names.length === 0 ? 'no rule' : names.join(', ')}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
