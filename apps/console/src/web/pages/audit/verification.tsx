import { Alert, Button, Group, Progress, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ApiError, request } from '../../api/request.ts';
import { stream } from '../../api/stream.ts';
import { Fault } from '../../ui/fault.tsx';
import { Section } from '../../ui/section.tsx';

type Line =
  | { readonly verified: number; readonly total: number }
  | { readonly verdict: 'whole'; readonly entries: number }
  | { readonly verdict: 'broken'; readonly fault: string; readonly sequence: number; readonly sentence: string };

const CHAINS = { Decisions: 'decisions', Administration: 'administration-actions' } as const;

/** Verifies a chain before one's eyes: how far it is, then whether it is whole, or the exact entry where it breaks. */
export function Verification() {
  const [chain, setChain] = useState<keyof typeof CHAINS>('Decisions');
  const [checkpoint, setCheckpoint] = useState('');
  const [line, setLine] = useState<Line | null>(null);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);

  const attempt = async (work: () => Promise<void>) => {
    setRunning(true);
    setError(null);
    try {
      await work();
    } catch (fault) {
      setError(
        fault instanceof ApiError
          ? fault
          : new ApiError(0, 'The verification broke off before its verdict. Run it again.'),
      );
    } finally {
      setRunning(false);
    }
  };
  const verify = () =>
    attempt(async () => {
      setLine(null);
      const note = checkpoint.trim() === '' ? {} : { checkpoint };
      for await (const next of stream<Line>('/api/audit/verification', { chain: CHAINS[chain], ...note }))
        setLine(next);
    });
  const take = () =>
    attempt(async () => {
      const { checkpoint: note } = await request<{ checkpoint: string }>('GET', '/api/audit/checkpoint');
      setCheckpoint(note);
    });
  return (
    <Section
      title="Verify the chain"
      about="Recomputes every digest and checks every signature and link. With a checkpoint kept elsewhere, a truncated, restored or forked log is found out too. The same check runs offline: gatewayctl journal verify."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Chain"
          data={Object.keys(CHAINS)}
          value={chain}
          onChange={(name) => setChain(name as keyof typeof CHAINS)}
        />
      }
    >
      <Stack gap="sm">
        <Textarea
          label="Checkpoint, where you kept one"
          autosize
          minRows={2}
          maxRows={8}
          value={checkpoint}
          onChange={(event) => setCheckpoint(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        />
        <Group>
          <Button loading={running} onClick={() => void verify()}>
            Verify
          </Button>
          <Button variant="default" disabled={running} onClick={() => void take()}>
            Take a checkpoint now
          </Button>
        </Group>
        <Fault error={error} />
        {line !== null && <Verdict line={line} />}
      </Stack>
    </Section>
  );
}

function Verdict({ line }: { line: Line }) {
  if ('verified' in line)
    return (
      <div role="status">
        <Progress value={line.total === 0 ? 100 : (line.verified / line.total) * 100} aria-label="Entries verified" />
        <Text size="sm" c="dimmed">
          {line.verified} of {line.total} entries
        </Text>
      </div>
    );
  return line.verdict === 'whole' ? (
    <Alert color="teal" variant="light" role="status" title="The chain is whole">
      {line.entries} entries: no gap, every link, digest and signature holds.
    </Alert>
  ) : (
    <Alert color="red" variant="light" role="status" title={`The chain breaks at entry ${line.sequence}`}>
      {line.sentence}
    </Alert>
  );
}
