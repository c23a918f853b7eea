import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ApiError, request } from '../../api/request.ts';
import { Fault } from '../../ui/fault.tsx';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { inWords } from '../../ui/time.tsx';

interface Continuation {
  readonly continues: boolean;
  readonly origin: string;
  readonly oldSize: number;
  readonly size: number;
}

/** Shows whether a log only grew since a checkpoint in note form that somebody kept: it reads a few tiles, not the log. */
export function ContinuationCheck({ chain }: { chain: string }) {
  const [note, setNote] = useState('');
  const [found, setFound] = useState<(Continuation & { readonly at: Date }) | null>(null);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const attempt = async (work: () => Promise<void>) => {
    setRunning(true);
    setError(null);
    try {
      await work();
    } catch (fault) {
      setError(
        fault instanceof ApiError ? fault : new ApiError(0, 'The comparison ended without a result. Run it again.'),
      );
    } finally {
      setRunning(false);
    }
  };
  const compare = () =>
    attempt(async () => {
      setFound(null);
      const answer = await request<Continuation>('POST', '/api/audit/continuation', { checkpoint: note });
      setFound({ ...answer, at: new Date() });
    });
  const take = () =>
    attempt(async () => {
      setFound(null);
      const path = `/api/audit/tree-checkpoint?${new URLSearchParams({ chain }).toString()}`;
      setNote((await request<{ checkpoint: string }>('GET', path)).checkpoint);
    });
  return (
    <Section
      title="Has the log only grown?"
      about="Compares the log with a checkpoint in note form (gatewayctl journal checkpoint --note) by a consistency proof. It takes milliseconds for a log of any size, and detects a truncated, restored or forked log. A changed entry is found by the verification above."
    >
      <Stack gap="sm">
        <Textarea
          label="Checkpoint in note form"
          autosize
          minRows={4}
          maxRows={10}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        />
        <Group>
          <Button loading={running} disabled={note.trim() === ''} onClick={() => void compare()}>
            Compare
          </Button>
          <Button variant="default" disabled={running} onClick={() => void take()}>
            Take a checkpoint in note form
          </Button>
        </Group>
        <Fault error={error} />
        {found !== null && (
          <Alert
            color={found.continues ? 'teal' : 'red'}
            variant="light"
            role="status"
            title={found.continues ? 'The log only grew' : 'The log does not continue the checkpoint'}
          >
            <Text size="sm">
              {found.continues
                ? `The log of ${count(found.size)} entries begins with the ${count(found.oldSize)} of the checkpoint.`
                : `The log of ${count(found.size)} entries does not begin with the ${count(found.oldSize)} of the checkpoint: it was truncated, restored or forked.`}
            </Text>
            <Text size="sm" c="dimmed">{`${found.origin}, as of ${inWords(found.at)} UTC.`}</Text>
          </Alert>
        )}
      </Stack>
    </Section>
  );
}
