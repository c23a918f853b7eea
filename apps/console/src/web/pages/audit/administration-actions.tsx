import { legible } from '@gateway/contract/legible';
import { Anchor } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { AdministrationAction } from '../../api/objects.ts';
import { whole } from '../../route/param-readers.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { ExportLinks } from '../../ui/export-links.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { inPart, useFilterBar } from './filter-bar.tsx';

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
