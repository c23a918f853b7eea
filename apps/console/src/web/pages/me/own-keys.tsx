import { Code, Text } from '@mantine/core';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import type { AccountKey } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { KeyReveal } from '../../ui/key-reveal.tsx';
import { stateOfKey } from '../../ui/lifetime.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';

/** The keys of the own local account. A key that is rotated is refused from the next call on. */
export function OwnKeys() {
  const keys = useList<AccountKey>('/api/me/keys', 'keys');
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Section
      title="My keys"
      about="A new key replaces the old one at once. It is shown once and ends when the old one would have."
    >
      <DataTable
        label="My keys"
        list={keys}
        rowKey={({ id }) => id}
        minWidth={560}
        empty={<Text size="sm">You have no key here: you sign in to your tools through the identity provider.</Text>}
        columns={[
          { title: 'Label', cell: ({ label }) => label },
          { title: 'Key', cell: ({ lastFour }) => <Code style={{ whiteSpace: 'nowrap' }}>gwk_…{lastFour}</Code> },
          { title: 'State', cell: (key) => <Outcome of={stateOfKey(key)} /> },
          {
            title: 'Expires (UTC)',
            cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />),
          },
          {
            title: 'Actions',
            align: 'actions',
            cell: (key) =>
              stateOfKey(key) !== 'revoked' &&
              stateOfKey(key) !== 'expired' && (
                <Confirm<{ key: string }>
                  label="Rotate"
                  title={`Rotate the key ${key.label}`}
                  color="indigo"
                  consequence={`gwk_…${key.lastFour} is refused from the next call on. Tools that use it need the new key, which is shown once.`}
                  change={() => ({ method: 'POST', path: `/api/me/keys/${key.id}/rotate`, body: {} })}
                  onDone={(answer) => setSecret(answer.key)}
                />
              ),
          },
        ]}
      />
      <KeyReveal of="your account" secret={secret} close={() => setSecret(null)} />
    </Section>
  );
}
