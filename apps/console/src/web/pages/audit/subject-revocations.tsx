import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useList } from '../../api/list.ts';
import type { SubjectRevocation } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { REVOKES, revocationOf } from '../rights/revocation.ts';
import { useFilterBar } from './filter-bar.tsx';

export function SubjectRevocations() {
  const { filters, bar, empty } = useFilterBar({ texts: { subject: 'Subject' } });
  const revocations = useList<SubjectRevocation>('/api/subject-revocations', 'subjectRevocations', filters, '');
  const [opened, { open, close }] = useDisclosure(false);
  const form = useForm({ initialValues: { subject: '', reason: '' } });
  return (
    <Section
      title="Revoked subjects"
      about="A revoked subject is refused everywhere from its next call on, until the revocation is lifted."
      actions={<Button onClick={open}>Revoke a subject</Button>}
      filters={bar}
      reading={revocations.query}
    >
      <FormModal
        opened={opened}
        close={close}
        title="Revoke a subject"
        submit="Revoke"
        color="red.9"
        form={form}
        change={revocationOf}
      >
        <Text size="sm">{REVOKES}</Text>
        <TextInput
          label="Subject"
          description="A username, or the subject of a directory identity."
          required
          data-autofocus
          {...form.getInputProps('subject')}
        />
        <TextInput label="Reason, kept in the log" required maxLength={300} {...form.getInputProps('reason')} />
      </FormModal>
      <DataTable
        label="Revoked subjects"
        list={revocations}
        rowKey={({ id }) => id}
        minWidth={820}
        empty={empty(
          'Nobody is revoked',
          'Whoever is revoked is refused everywhere, whatever roles and keys they hold.',
        )}
        columns={[
          {
            title: 'Subject',
            cell: ({ subject }) => (
              <Text size="sm" fw={500}>
                {subject}
              </Text>
            ),
          },
          { title: 'Since (UTC)', cell: ({ revokedAt }) => <Time at={revokedAt} /> },
          { title: 'Reason', cell: ({ reason }) => reason },
          { title: 'Author', cell: ({ author }) => author },
          { title: 'State', cell: ({ liftedAt }) => <Outcome of={liftedAt === null ? 'revoked' : 'lifted'} /> },
          {
            title: 'Actions',
            align: 'actions',
            cell: ({ id, subject, liftedAt }) =>
              liftedAt === null && (
                <Confirm
                  label="Lift"
                  color="indigo"
                  title={`Lift the revocation of ${subject}`}
                  consequence="The subject is served again from its next call on, with the roles it holds."
                  reason="Reason, kept in the log"
                  change={(reason) => ({
                    method: 'POST',
                    path: `/api/subject-revocations/${id}/lift`,
                    body: { reason },
                    done: `${subject} is served again.`,
                  })}
                />
              ),
          },
        ]}
      />
    </Section>
  );
}
