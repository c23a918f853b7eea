import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { diffLines } from 'diff';
import { useRef } from 'react';
import { type List, useList } from '../../api/list.ts';
import type { PolicyAttempt, PolicyRevision } from '../../api/objects.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { Layer, useDialog } from '../../ui/layer.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './difference.module.css';

/**
 * Every revision of the authorization policy, each with its changes; nothing for readers who may not see policies.
 * @param restore takes the text of an earlier revision, to be installed again; absent for readers who install none
 */
export function History({ restore }: { restore?: (revision: PolicyRevision) => void }) {
  const revisions = useList<PolicyRevision>('/api/policies', 'policies', {}, 'revisions');
  if (revisions.query.error?.status === 403) return null;
  return (
    <Section
      title="History of the authorization policy"
      about="Every revision, the latest first, with what it changed."
    >
      <DataTable
        label="History of the authorization policy"
        list={revisions}
        rowKey={({ revision }) => String(revision)}
        empty={<Text size="sm">No policy was installed yet.</Text>}
        columns={[
          { title: 'Revision', cell: ({ revision }) => revision },
          { title: 'Installed (UTC)', cell: ({ installedAt }) => <Time at={installedAt} /> },
          { title: 'Author', cell: ({ author }) => author },
          { title: 'Text', cell: ({ cedar }) => (cedar === '' ? 'lifted: no restriction' : linesOf(cedar)) },
          {
            title: 'Changes',
            align: 'actions',
            cell: (revision) => (
              <Changes
                of={revision}
                among={revisions}
                {...(restore === undefined || revision.cedar === '' ? {} : { restore: () => restore(revision) })}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

const linesOf = (text: string): string => {
  const lines = text.trimEnd().split('\n').length;
  return lines === 1 ? '1 line' : `${lines} lines`;
};

/** What a revision changed of the one before it. */
function Changes({
  of: { revision, cedar },
  among,
  restore,
}: {
  of: PolicyRevision;
  among: List<PolicyRevision>;
  restore?: () => void;
}) {
  const { opened, made, open, close } = useDialog();
  const isRestoring = useRef(false);
  // Called once the dialog is gone: it gives the keyboard back to its button, and the editor takes it from there.
  const exited = () => {
    if (isRestoring.current) setTimeout(() => restore?.(), 60);
    isRestoring.current = false;
  };
  const before = among.rows.find((other) => other.revision === revision - 1);
  const isFirst = revision === 1;
  return (
    <>
      <Button size="compact-sm" variant="subtle" aria-label={`Changes of revision ${revision}`} onClick={open}>
        Changes
      </Button>
      {made && (
        <Layer opened={opened} close={close} onExited={exited} title={`Revision ${revision} of the policy`} size="xl">
          {before === undefined && !isFirst ? (
            <>
              <Text size="sm" mb="xs">
                The revision before is on the next page of the list. The whole text:
              </Text>
              <Code block tabIndex={0}>
                {cedar}
              </Code>
            </>
          ) : (
            <Difference
              before={before?.cedar ?? ''}
              after={cedar}
              to={isFirst ? 'nothing' : `revision ${revision - 1}`}
            />
          )}
          {restore !== undefined && (
            <Group justify="space-between" mt="md" gap="sm">
              <Text size="xs" c="dimmed">
                Its text is put into the editor, where it is checked and compared before you install it.
              </Text>
              <Button
                onClick={() => {
                  isRestoring.current = true;
                  close();
                }}
              >
                Restore revision {revision}
              </Button>
            </Group>
          )}
        </Layer>
      )}
    </>
  );
}

/** What a text changes of another one, line by line. @param to what the other one is */
export function Difference({
  before,
  after,
  to = 'the revision in force',
}: {
  before: string;
  after: string;
  to?: string;
}) {
  const parts = diffLines(before, after);
  if (parts.every(({ added, removed }) => !added && !removed))
    return (
      <Text size="sm" c="dimmed">
        No difference to {to}.
      </Text>
    );
  return (
    <pre className={classes['difference']} role="region" aria-label={`Difference to ${to}`} tabIndex={0}>
      {parts.flatMap(({ value, added, removed }, part) =>
        value
          .replace(/\n$/, '')
          .split('\n')
          .map((line, index) => (
            <span key={`${part}.${index}`} className={added ? classes['added'] : removed ? classes['removed'] : ''}>
              {`${added ? '+' : removed ? '-' : ' '} ${line}\n`}
            </span>
          )),
      )}
    </pre>
  );
}

/** Another administrator installed a revision meanwhile: the draft stays, and may be discarded for theirs. */
export function Superseded({ by, showIt }: { by: { revision: number; author: string }; showIt: () => void }) {
  return (
    <Alert color="yellow" variant="light" role="status">
      <Group justify="space-between" gap="md">
        <Text size="sm">
          {by.author} installed revision {by.revision} while you were writing. Your text replaces it.
        </Text>
        <Button size="xs" variant="default" onClick={showIt}>
          Show revision {by.revision} instead
        </Button>
      </Group>
    </Alert>
  );
}

const ORGANIZATION: Column<PolicyAttempt> = {
  title: 'Organization',
  sort: 'organization',
  cell: ({ organization }) => organization,
};
const KINDS = {
  organization: { path: '/api/audit/organization-policy', of: 'an organization policy' },
  authorization: { path: '/api/audit/policies', of: 'an authorization policy' },
} as const;

/** Every attempt to install a policy of one kind, refused ones included. */
export function PolicyAttempts({ kind }: { kind: PolicyAttempt['kind'] }) {
  const { path, of } = KINDS[kind];
  const title = `Attempts at ${of}`;
  const attempts = useList<PolicyAttempt>(path, 'attempts', {}, `${kind}-attempts`);
  return (
    <Section title={title} about={`Every installation and every refusal of ${of}, with its author.`}>
      <DataTable
        label={title}
        list={attempts}
        usual="-at"
        rowKey={({ id }) => id}
        empty={<Text size="sm">Nobody tried to install a policy yet.</Text>}
        columns={[
          { title: 'When (UTC)', sort: 'at', cell: ({ at }) => <Time at={at} /> },
          ...(kind === 'organization' ? [ORGANIZATION] : []),
          { title: 'Author', sort: 'author', cell: ({ author }) => author },
          { title: 'Outcome', sort: 'outcome', cell: ({ outcome }) => <Outcome of={outcome} /> },
          {
            title: 'Revision or fault',
            sort: 'revision',
            cell: ({ revision, fault }) => (revision === null ? fault : `revision ${revision}`),
          },
          {
            title: 'Entry',
            align: 'actions',
            cell: (attempt) => <Details title={`Attempt of ${attempt.author}`} entry={attempt} />,
          },
        ]}
      />
    </Section>
  );
}
