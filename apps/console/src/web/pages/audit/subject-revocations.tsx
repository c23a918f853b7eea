import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useList } from '../../api/list.ts';
import type { SubjectRevocation } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { liftOf } from '../rights/revocation.ts';
import { RevokeForm } from '../rights/revoke-form.tsx';
import { inPart, useFilterBar } from './filter-bar.tsx';
import { Found } from './found.tsx';

export function SubjectRevocations() {
  const { filters, bar, empty } = useFilterBar({ texts: { subject: 'Subject' } });
  const revocations = useList<SubjectRevocation>(
    '/api/subject-revocations',
    'subjectRevocations',
    inPart(filters, ['subject']),
    '',
  );
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Section
      title="Revoked subjects"
      about="A revoked subject is refused everywhere from its next call on, until the revocation is lifted."
      actions={<Button onClick={open}>Revoke a subject</Button>}
      filters={bar}
      reading={revocations.query}
    >
      <RevokeForm opened={opened} close={close} />
      <DataTable
        label="Revoked subjects"
        list={revocations}
        usual="-revokedAt"
        rowKey={({ id }) => id}
        minWidth={820}
        empty={empty('Nobody is revoked', 'A revoked subject is refused everywhere, with any roles and keys.')}
        columns={[
          {
            title: 'Subject',
            sort: 'subject',
            cell: ({ subject }) => <Found name={subject} by="subject" />,
          },
          { title: 'Since (UTC)', sort: 'revokedAt', cell: ({ revokedAt }) => <Time at={revokedAt} /> },
          { title: 'Reason', sort: 'reason', cell: ({ reason }) => reason },
          { title: 'Author', sort: 'author', cell: ({ author }) => author },
          {
            title: 'State',
            sort: 'liftedAt',
            cell: ({ liftedAt }) => <Outcome of={liftedAt === null ? 'revoked' : 'lifted'} />,
          },
          {
            title: 'Actions',
            align: 'actions',
            cell: ({ id, subject, liftedAt }) =>
              liftedAt === null && (
                <Confirm
                  label="Lift"
                  color="indigo"
                  title={`Lift the revocation of ${subject}`}
                  consequence="This revocation ends with the next call. A disabled account, a missing role or plan still refuses."
                  reason="Reason, kept in the log"
                  change={(reason) => liftOf({ id, subject, reason })}
                />
              ),
          },
        ]}
      />
    </Section>
  );
}
