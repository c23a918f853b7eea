import { legible } from '@gateway/contract/legible';
import { Alert, Button, Checkbox, FileButton, Group, Progress, Stack, Table, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useChoices, useList } from '../../api/list.ts';
import type { AccountImport, Plan, User } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Copy, saveText } from '../../ui/copy.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Fault } from '../../ui/fault.tsx';
import { type Dialog, Layer } from '../../ui/layer.tsx';
import { count } from '../../ui/numbers.ts';
import { Time } from '../../ui/time.tsx';
import { canSaveKeys, HEADER, keyLines, previewOfImport, useImport } from './use-import.ts';

const EXAMPLE = 'username,plan,role,display name,email\ngrace,Team,User,Grace Hopper,grace@example.org';
const WHOLE = { whiteSpace: 'nowrap' } as const;
const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
const accounts = (number: number): string => (number === 1 ? '1 account' : `${count(number)} accounts`);

/** Creates the accounts of a CSV file: first what each line would do, then their keys, which are shown once. */
export function ImportDialog({ plans, close, ...dialog }: Dialog & { plans: readonly Plan[] }) {
  const [text, setText] = useState('');
  const [reissue, setReissue] = useState(false);
  const users = useChoices<User>('/api/users', 'users');
  const work = useImport();
  const isUnderWay = work.state === 'running';
  const isDone = work.state === 'ended';
  // What is known while the import runs grows with it.
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  const preview =
    text.trim() === ''
      ? null
      : previewOfImport(text, {
          known: known ?? new Set(users.rows.map(({ username }) => username)),
          plans: plans.map(({ id, name, slug }) => ({ value: id, label: name, slug })),
          reissue,
        });
  const sound = preview?.lines.filter(({ faults }) => faults.length === 0) ?? [];
  const faulty = (preview?.lines.length ?? 0) - sound.length;
  const start = (toFile: boolean) => {
    setKnown(new Set(users.rows.map(({ username }) => username)));
    work.run(
      sound.map(({ body }) => body),
      { reissue, toFile },
    );
  };
  return (
    <Layer
      {...dialog}
      close={close}
      isBusy={() => isUnderWay}
      closeOnClickOutside={text === ''}
      closeOnEscape={!work.isGuarded}
      withCloseButton={!work.isGuarded}
      title="Import people"
      size={860}
    >
      <Stack>
        {work.state === 'ready' && (
          <>
            <Group justify="space-between" align="flex-end">
              <Text size="sm" c="dimmed" maw={520}>
                A CSV file with one person a line. The first line names the columns: username, and of plan, role,
                display name and email those there are. Each account gets a key, shown once. To resume an import, choose
                the same file again.
              </Text>
              <FileButton accept=".csv,text/csv,text/plain" onChange={(file) => void file?.text().then(setText)}>
                {(props) => (
                  <Button variant="default" {...props}>
                    Choose a file
                  </Button>
                )}
              </FileButton>
            </Group>
            <Textarea
              label="Text of the file"
              placeholder={EXAMPLE}
              autosize
              minRows={3}
              maxRows={8}
              styles={MONOSPACE}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Checkbox
              label="Give those that have an account a new key, and revoke the old ones"
              checked={reissue}
              onChange={(event) => setReissue(event.currentTarget.checked)}
            />
            <Fault error={users.query.error} retry={users.query.refetch} />
            {preview?.fault != null && (
              <Alert color="red" variant="light" role="alert">
                {preview.fault}
              </Alert>
            )}
            {preview !== null && preview.lines.length > 0 && <Preview lines={preview.lines} />}
            {preview === null && <EarlierImports />}
          </>
        )}
        {isUnderWay && (
          <Progress value={(work.results.length / Math.max(1, sound.length)) * 100} aria-label="Imported lines" />
        )}
        {isDone && <Results work={work} of={sound.length} />}
        <Group justify="space-between">
          <Text size="sm" role="status">
            {isUnderWay && `${count(work.results.length)} of ${count(sound.length)}`}
            {work.state === 'ready' &&
              faulty > 0 &&
              `${count(faulty)} lines are left out: correct them, or import the rest.`}
          </Text>
          <Group>
            {work.state === 'ready' && (
              <>
                <Button variant="default" onClick={close}>
                  Cancel
                </Button>
                <Button
                  variant={canSaveKeys() ? 'default' : 'filled'}
                  disabled={sound.length === 0 || !users.query.isSuccess}
                  onClick={() => start(false)}
                >
                  {`Create ${accounts(sound.length)}`}
                </Button>
                {canSaveKeys() && (
                  <Button disabled={sound.length === 0 || !users.query.isSuccess} onClick={() => start(true)}>
                    Create, and save the keys to a file
                  </Button>
                )}
              </>
            )}
            {isUnderWay && (
              <Button variant="default" onClick={work.stop}>
                Stop
              </Button>
            )}
            {isDone && <Button onClick={close}>Done</Button>}
          </Group>
        </Group>
      </Stack>
    </Layer>
  );
}

/** Lines that are shown; of a longer file, the faulty ones first. */
const MOST_LINES = 200;

function Preview({ lines }: { lines: ReturnType<typeof previewOfImport>['lines'] }) {
  const faultyFirst = lines.toSorted((one, other) => Number(other.faults.length > 0) - Number(one.faults.length > 0));
  const shown = lines.length > MOST_LINES ? faultyFirst.slice(0, MOST_LINES) : lines;
  return (
    <div style={{ maxHeight: 260, overflow: 'auto' }} role="group" aria-label="What each line does" tabIndex={0}>
      <Table aria-label="What each line does" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th style={WHOLE}>Line</Table.Th>
            <Table.Th style={WHOLE}>Username</Table.Th>
            <Table.Th>What it does</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ line, username, shown: members, faults }) => (
            <Table.Tr key={line}>
              <Table.Td>{line}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{legible(username)}</Table.Td>
              <Table.Td>
                {faults.length === 0 ? (
                  <Text size="sm">{`Creates an account: ${members.map(legible).join(', ')}`}</Text>
                ) : (
                  <Text size="sm" c="var(--mantine-color-error)">
                    {`Left out: ${faults.map(legible).join('; ')}`}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {lines.length > shown.length && (
        <Text size="xs" c="dimmed">{`${count(lines.length - shown.length)} more lines without a fault.`}</Text>
      )}
    </div>
  );
}

function Results({ work, of }: { work: ReturnType<typeof useImport>; of: number }) {
  const { results, error, isSaved, markSaved } = work;
  const refused = results.filter(({ outcome }) => outcome === 'refused');
  const keys = results.filter(({ key }) => key !== undefined);
  const file = HEADER + keyLines(results);
  const save = () => {
    saveText('keys.csv', file);
    markSaved();
  };
  return (
    <>
      <Fault error={error} />
      <Text size="sm" role="status">
        {`${accounts(keys.length)} got a key. ${count(of - results.length)} lines were not sent.`}
        {results.length < of && ' To resume, import the same file again.'}
      </Text>
      {refused.length > 0 && (
        <Alert color="red" variant="light" role="alert" title={`${accounts(refused.length)} could not be created`}>
          {refused.slice(0, MOST_LINES).map(({ username, error: sentence }) => (
            <Text key={username} size="sm">{`${legible(username)}: ${sentence}`}</Text>
          ))}
        </Alert>
      )}
      {keys.length > 0 && (
        <>
          <Alert color={isSaved ? 'green' : 'yellow'} variant="light">
            {isSaved
              ? 'The keys are in the file. They are shown here until you leave; only their digests are stored.'
              : 'These keys are shown once. Only their digests are stored: save them now and send them over a secure channel.'}
          </Alert>
          <Textarea label="Keys" readOnly autosize minRows={3} maxRows={10} styles={MONOSPACE} value={file} />
          <Group>
            <Button variant="default" onClick={save}>
              Save the keys
            </Button>
            <Copy text={file} label="Copy the keys" />
            <RevokeKeys of={work.id} label="Undo: revoke these keys" onDone={markSaved} />
          </Group>
        </>
      )}
    </>
  );
}

/** Revokes all keys that an import made, in one act. */
function RevokeKeys({ of, label, onDone }: { of: string; label: string; onDone?: () => void }) {
  return (
    <Confirm<{ revoked: number }>
      label={label}
      title="Revoke the keys of this import"
      consequence="Every key that this import made is refused with the next request. The accounts, their roles and plans stay. This cannot be undone."
      change={() => ({
        method: 'POST',
        path: `/api/imports/${of}/revoke-keys`,
        done: ({ revoked }: { revoked: number }) =>
          revoked === 1 ? '1 key revoked.' : `${count(revoked)} keys revoked.`,
      })}
      {...(onDone === undefined ? {} : { onDone })}
    />
  );
}

/** Earlier imports with what is left of their keys; nothing where there was none. */
function EarlierImports() {
  const imports = useList<AccountImport>('/api/imports', 'imports', {}, 'imports');
  if (imports.rows.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        Earlier imports
      </Text>
      <DataTable
        label="Earlier imports"
        list={imports}
        rowKey={({ id }) => id}
        minWidth={560}
        empty={null}
        columns={[
          { title: 'Started (UTC)', cell: ({ startedAt }) => <Time at={startedAt} /> },
          { title: 'By', cell: ({ author }) => author },
          { title: 'Keys', align: 'right', cell: ({ keys }) => count(keys) },
          { title: 'In force', align: 'right', cell: ({ keysInForce }) => count(keysInForce) },
          {
            title: 'Actions',
            align: 'actions',
            cell: ({ id, keysInForce }) => (keysInForce === 0 ? null : <RevokeKeys of={id} label="Revoke its keys" />),
          },
        ]}
      />
    </Stack>
  );
}
