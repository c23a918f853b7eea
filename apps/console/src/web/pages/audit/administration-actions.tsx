import { legible } from '@gateway/contract/legible';
import { Anchor, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useList } from '../../api/list.ts';
import type { AdministrationAction, SubjectRevocation } from '../../api/objects.ts';
import { whole } from '../../route/use-search-params.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { ExportLinks } from '../../ui/search-field.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { liftOf, RevokeForm } from '../rights/revoke-form.tsx';
import { Found, inPart, useFilterBar } from './filter-bar.tsx';

const PATH = '/api/administration-actions';

export function AdministrationActions() {
  const { filters, bar, empty } = useFilterBar({
    texts: { author: 'Author', action: 'Action', target: 'Target' },
    hidden: { sequence: whole },
    period: true,
  });
  const asked = inPart(filters, ['author', 'action', 'target']);
  const actions = useList<AdministrationAction>(PATH, 'administrationActions', asked, '');
  return (
    <Section
      title="Administration actions"
      about="Every change by the console and by gatewayctl, with author, old value and new value. It is chained and sealed like the decisions. Files exported here have no signatures. For a file that can be verified, use gatewayctl journal export --chain actions."
      actions={<ExportLinks path={PATH} filters={asked} />}
      filters={bar}
      reading={actions.query}
    >
      <DataTable
        label="Administration actions"
        list={actions}
        usual="-at"
        rowKey={({ id }) => id}
        minWidth={820}
        empty={empty(
          'Nothing was changed yet',
          'The first change in the console or by gatewayctl makes the first entry.',
        )}
        columns={[
          { title: '#', cell: ({ sequence }) => sequence },
          { title: 'When (UTC)', sort: 'at', cell: ({ at }) => <Time at={at} /> },
          {
            title: 'Author',
            sort: 'author',
            cell: ({ author, component }) => (
              <Anchor size="sm" href={`#audit/administration?${new URLSearchParams({ author }).toString()}`}>
                {`${legible(author)} (${component})`}
              </Anchor>
            ),
          },
          { title: 'Action', sort: 'action', cell: ({ action }) => action },
          {
            title: 'Target',
            sort: 'target',
            cell: ({ target }) => (
              <Anchor size="sm" href={`#audit/administration?${new URLSearchParams({ target }).toString()}`}>
                {legible(target)}
              </Anchor>
            ),
          },
          {
            title: 'Entry',
            align: 'actions',
            cell: (entry) => (
              <Details
                title={`Action ${entry.sequence}`}
                entry={entry}
                link={`audit/administration?sequence=${entry.sequence}`}
                proof={`/api/audit/proof?chain=administration-actions&sequence=${entry.sequence}`}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

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
