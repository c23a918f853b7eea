import { legible } from '@gateway/contract/legible';
import { Alert, Button, FileButton, Group, Stack, Table, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useChoices } from '../../api/list.ts';
import type { Plan, User } from '../../api/objects.ts';
import { useSeveral } from '../../api/several.ts';
import { Copy } from '../../ui/copy.tsx';
import { csvField } from '../../ui/csv.ts';
import { Fault } from '../../ui/fault.tsx';
import { type Dialog, Layer } from '../../ui/layer.tsx';
import { count } from '../../ui/numbers.ts';
import { previewOfImport } from './import.ts';

const EXAMPLE = 'username,plan,role,display name,email\ngrace,Team,User,Grace Hopper,grace@example.org';
const WHOLE = { whiteSpace: 'nowrap' } as const;
const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
const accounts = (number: number): string => (number === 1 ? '1 account' : `${count(number)} accounts`);

/** Creates the accounts of a CSV file: first what each line would do, then their keys, which are shown once. */
export function ImportDialog({ plans, close, ...dialog }: Dialog & { plans: readonly Plan[] }) {
  const [text, setText] = useState('');
  const users = useChoices<User>('/api/users', 'users');
  const { run, ended, isUnderWay } = useSeveral<{ id: string; key: string }>();
  const preview =
    text.trim() === ''
      ? null
      : previewOfImport(text, {
          known: new Set(users.rows.map(({ username }) => username)),
          plans: plans.map(({ id, name, slug }) => ({ value: id, label: name, slug })),
        });
  const sound = preview?.lines.filter(({ faults }) => faults.length === 0) ?? [];
  const faulty = (preview?.lines.length ?? 0) - sound.length;
  const keys = ended.flatMap(({ name, answer }) => (answer === null ? [] : [{ name, key: answer.key }]));
  const isDone = ended.length > 0 && !isUnderWay;
  const create = () =>
    run(
      sound.map(({ username, body }) => ({
        name: username,
        change: { method: 'POST', path: '/api/users', body },
        undo: ({ id }) => ({ method: 'DELETE', path: `/api/users/${id}` }),
      })),
      (made) => `${accounts(made)} created.`,
    );
  return (
    <Layer
      {...dialog}
      close={close}
      isBusy={() => isUnderWay}
      closeOnClickOutside={text === ''}
      closeOnEscape={!isDone}
      withCloseButton={!isDone}
      title="Import people"
      size={860}
    >
      <Stack>
        {!isDone ? (
          <>
            <Group justify="space-between" align="flex-end">
              <Text size="sm" c="dimmed" maw={520}>
                A CSV file with one person a line. The first line names the columns: username, and of plan, role,
                display name and email those there are. Each account gets a key, shown once at the end.
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
            <Fault error={users.query.error} retry={users.query.refetch} />
            {preview?.fault != null && (
              <Alert color="red" variant="light" role="alert">
                {preview.fault}
              </Alert>
            )}
            {preview !== null && preview.lines.length > 0 && <Preview lines={preview.lines} />}
          </>
        ) : (
          <Results ended={ended} keys={keys} />
        )}
        <Group justify="space-between">
          <Text size="sm" role="status">
            {isUnderWay && `${count(ended.length)} of ${count(sound.length)}`}
            {ended.length === 0 &&
              faulty > 0 &&
              `${count(faulty)} lines are left out: correct them, or import the rest.`}
          </Text>
          <Group>
            {!isDone && (
              <Button variant="default" onClick={close} disabled={isUnderWay}>
                Cancel
              </Button>
            )}
            {isDone ? (
              <Button onClick={close}>Done</Button>
            ) : (
              <Button
                loading={isUnderWay}
                disabled={sound.length === 0 || !users.query.isSuccess}
                onClick={() => void create()}
              >
                {`Create ${accounts(sound.length)}`}
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
    </Layer>
  );
}

function Preview({ lines }: { lines: ReturnType<typeof previewOfImport>['lines'] }) {
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
          {lines.map(({ line, username, shown, faults }) => (
            <Table.Tr key={line}>
              <Table.Td>{line}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{legible(username)}</Table.Td>
              <Table.Td>
                {faults.length === 0 ? (
                  <Text size="sm">{`Creates an account: ${shown.map(legible).join(', ')}`}</Text>
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
    </div>
  );
}

function Results({
  ended,
  keys,
}: {
  ended: readonly { readonly name: string; readonly fault: string | null }[];
  keys: readonly { readonly name: string; readonly key: string }[];
}) {
  const faults = ended.filter(({ fault }) => fault !== null);
  const file = ['username,key', ...keys.map(({ name, key }) => `${csvField(name)},${key}`)].join('\n');
  return (
    <>
      {faults.length > 0 && (
        <Alert color="red" variant="light" role="alert" title={`${accounts(faults.length)} could not be created`}>
          {faults.map(({ name, fault }) => (
            <Text key={name} size="sm">{`${legible(name)}: ${fault}`}</Text>
          ))}
        </Alert>
      )}
      {keys.length > 0 && (
        <>
          <Alert color="yellow" variant="light">
            These keys are shown once. Only their digests are stored: copy them now and send them over a secure channel.
          </Alert>
          <Textarea label="Keys" readOnly autosize minRows={3} maxRows={10} styles={MONOSPACE} value={file} />
          <Group>
            <Copy text={file} label="Copy the keys" />
          </Group>
        </>
      )}
    </>
  );
}
