import { Button, Code, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { type List, useList } from '../../api/list.ts';
import type { PolicyRevision } from '../../api/objects.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Layer } from '../../ui/layer.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { Difference } from './difference.tsx';

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
