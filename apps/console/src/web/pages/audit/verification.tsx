import { Alert, Button, Group, Progress, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import { ApiError, request } from '../../api/request.ts';
import { stream } from '../../api/stream.ts';
import { useWords } from '../../place/use-words.ts';
import { oneOf } from '../../place/words.ts';
import { Details } from '../../ui/details.tsx';
import { Fault } from '../../ui/fault.tsx';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';

type Line =
  | { readonly verified: number; readonly total: number }
  | { readonly verdict: 'whole'; readonly entries: number }
  | { readonly verdict: 'broken'; readonly fault: string; readonly sequence: number; readonly sentence: string };

const CHAINS = { Decisions: 'decisions', Administration: 'administration-actions' } as const;

/** Verifies a chain before one's eyes: how far it is, then whether it is whole, or the exact entry where it breaks. */
export function Verification() {
  const { values, set } = useWords({ chain: oneOf(Object.values(CHAINS)) });
  const chain = values.chain === CHAINS.Administration ? 'Administration' : 'Decisions';
  const [checkpoint, setCheckpoint] = useState('');
  const [line, setLine] = useState<Line | null>(null);
  const [asked, setAsked] = useState<keyof typeof CHAINS>(chain);
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
      setAsked(chain);
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
          onChange={(name) => set('chain', CHAINS[name as keyof typeof CHAINS])}
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
        {line !== null && <Verdict line={line} chain={asked} />}
      </Stack>
    </Section>
  );
}

function Verdict({ line, chain }: { line: Line; chain: keyof typeof CHAINS }) {
  if ('verified' in line)
    return (
      <div role="status">
        <Progress value={line.total === 0 ? 100 : (line.verified / line.total) * 100} aria-label="Entries verified" />
        <Text size="sm" c="dimmed" mt={4}>
          {count(line.verified)} of {count(line.total)} entries
        </Text>
      </div>
    );
  return line.verdict === 'whole' ? (
    <Alert color="teal" variant="light" role="status" title="The chain is whole">
      {count(line.entries)} entries: no gap, every link, digest and signature holds.
    </Alert>
  ) : (
    <Alert color="red" variant="light" role="status" title={`The chain breaks at entry ${line.sequence}`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{line.sentence}</Text>
        <BrokenEntry chain={chain} sequence={line.sequence} />
      </Stack>
    </Alert>
  );
}

const LISTS = {
  Decisions: { path: '/api/audit/decisions', plural: 'decisions' },
  Administration: { path: '/api/administration-actions', plural: 'administrationActions' },
} as const;

/** The entry at which a chain breaks, as it stands in the database now. */
function BrokenEntry({ chain, sequence }: { chain: keyof typeof CHAINS; sequence: number }) {
  const { path, plural } = LISTS[chain];
  const { rows, query } = useList<object>(path, plural, { sequence: String(sequence) });
  if (query.isPending) return null;
  const [entry] = rows;
  if (entry === undefined) return <Text size="sm">The database holds no entry of this number.</Text>;
  return <Details title={`Entry ${sequence}`} label={`Show entry ${sequence}`} entry={entry} />;
}
