import { Alert, Button, Group, Progress, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import { useMay } from '../../api/queries.ts';
import { ApiError, request, stream } from '../../api/request.ts';
import { oneOf, useSearchParams } from '../../route/use-search-params.ts';
import { Details } from '../../ui/details.tsx';
import { Fault, NotPermitted } from '../../ui/fault.tsx';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { inWords } from '../../ui/time.tsx';

/**
 * A request that a button makes: whether it runs, and its fault.
 * @param unfinished what is said where the answer ended early
 */
function useAttempt(unfinished: string) {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const attempt = async (work: () => Promise<void>) => {
    setRunning(true);
    setError(null);
    try {
      await work();
    } catch (fault) {
      setError(fault instanceof ApiError ? fault : new ApiError(0, unfinished));
    } finally {
      setRunning(false);
    }
  };
  return { running, error, attempt };
}

interface Continuation {
  readonly continues: boolean;
  readonly origin: string;
  readonly oldSize: number;
  readonly size: number;
}

/** Shows whether a log only grew since a checkpoint in note form that somebody kept: it reads a few tiles, not the log. */
function ContinuationCheck({ chain }: { chain: string }) {
  const [note, setNote] = useState('');
  const [found, setFound] = useState<(Continuation & { readonly at: Date }) | null>(null);
  const { running, error, attempt } = useAttempt('The comparison ended without a result. Run it again.');
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

type Line =
  | { readonly verified: number; readonly total: number }
  | { readonly result: 'whole'; readonly entries: number; readonly keys: readonly Signer[] }
  | {
      readonly result: 'broken';
      readonly fault: string;
      readonly sequence: number;
      readonly sentence: string;
      readonly keys: readonly Signer[];
    };

/** A key that signed entries of the chain. */
interface Signer {
  readonly fingerprint: string;
  readonly component: string;
  readonly endorsed: boolean;
  readonly first: number;
  readonly last: number;
}

/** What a decision applies to. A log keeps growing: the result is valid for the moment of the request. */
interface Asked {
  readonly chain: keyof typeof CHAINS;
  readonly at: Date;
  readonly withCheckpoint: boolean;
}

const CHAINS = { Decisions: 'decisions', Administration: 'administration-actions' } as const;

const RIGHT = 'journal:verifier-l-integrite';

/** The verification of the logs, for those who may verify them: an administrator may not. */
export function Verification() {
  if (useMay(RIGHT) === false)
    return (
      <Section title="Verify the chain" about="Shows whether an entry of a log was changed or removed.">
        <NotPermitted permission={RIGHT} />
      </Section>
    );
  return <ChainCheck />;
}

/** Verifies a chain before one's eyes: how far it is, then whether it is intact, or the exact entry where it breaks. */
function ChainCheck() {
  const { values, set } = useSearchParams({ chain: oneOf(Object.values(CHAINS)) });
  const chain = values.chain === CHAINS.Administration ? 'Administration' : 'Decisions';
  const [checkpoint, setCheckpoint] = useState('');
  const [publicKeys, setPublicKeys] = useState('');
  const [line, setLine] = useState<Line | null>(null);
  const [asked, setAsked] = useState<Asked>({ chain, at: new Date(), withCheckpoint: false });
  const { running, error, attempt } = useAttempt('The verification ended without a result. Run it again.');
  const verify = () =>
    attempt(async () => {
      setLine(null);
      const note = checkpoint.trim() === '' ? {} : { checkpoint };
      setAsked({ chain, at: new Date(), withCheckpoint: 'checkpoint' in note });
      let last: Line | null = null;
      const keys = publicKeys.trim() === '' ? {} : { publicKeys };
      for await (const next of stream<Line>('/api/audit/verification', { chain: CHAINS[chain], ...note, ...keys })) {
        last = next;
        setLine(next);
      }
      if (last === null || !('result' in last)) throw new Error('the stream ended without a result');
    });
  const take = () =>
    attempt(async () => {
      const { checkpoint: note } = await request<{ checkpoint: string }>('GET', '/api/audit/checkpoint');
      setCheckpoint(note);
    });
  return (
    <>
      <Section
        title="Verify the chain"
        about="Recomputes every digest and checks every signature and link. With a checkpoint kept elsewhere, a truncated, restored or forked log is detected too. The same check runs offline, on a file of gatewayctl journal export: gatewayctl journal verify --export."
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
            label="Checkpoint, if you have one"
            autosize
            minRows={2}
            maxRows={8}
            value={checkpoint}
            onChange={(event) => setCheckpoint(event.currentTarget.value)}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
          />
          <Textarea
            label="Public keys to accept, if not all endorsed ones"
            autosize
            minRows={1}
            maxRows={8}
            value={publicKeys}
            onChange={(event) => setPublicKeys(event.currentTarget.value)}
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
          {line !== null && <Verdict line={line} asked={asked} />}
        </Stack>
      </Section>
      <ContinuationCheck chain={CHAINS[chain]} />
    </>
  );
}

function Verdict({ line, asked: { chain, at, withCheckpoint } }: { line: Line; asked: Asked }) {
  const moment = (
    <Text size="sm" c="dimmed">
      {`${chain}, as of ${inWords(at)} UTC${withCheckpoint ? ', against the checkpoint' : ''}.`}
    </Text>
  );
  if ('verified' in line)
    return (
      <div role="status">
        <Progress
          value={line.total === 0 ? 100 : Math.min(1, line.verified / line.total) * 100}
          aria-label="Entries verified"
        />
        <Text size="sm" c="dimmed" mt={4}>
          {count(line.verified)} of {count(line.total)} entries
        </Text>
      </div>
    );
  return line.result === 'whole' ? (
    <Alert color="teal" variant="light" role="status" title="The chain is intact">
      <Text size="sm">{count(line.entries)} entries: no gap, every link, digest and signature is valid.</Text>
      <Signers keys={line.keys} />
      {moment}
    </Alert>
  ) : (
    <Alert color="red" variant="light" role="status" title={`The chain breaks at entry ${line.sequence}`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{line.sentence}</Text>
        <Signers keys={line.keys} />
        {moment}
        <BrokenEntry chain={chain} sequence={line.sequence} />
      </Stack>
    </Alert>
  );
}

/** Each key with the entries that it signed; one that nobody endorsed is marked. */
function Signers({ keys }: { keys: readonly Signer[] }) {
  return keys.map(({ fingerprint, component, endorsed, first, last }) => (
    <Text key={fingerprint} size="sm" {...(endorsed ? {} : { c: 'red' })} style={{ overflowWrap: 'anywhere' }}>
      {`Key ${fingerprint} (${component}), ${endorsed ? 'endorsed' : 'NOT ENDORSED'}: entries ${count(first)} to ${count(last)}`}
    </Text>
  ));
}

const LISTS = {
  Decisions: { path: '/api/audit/decisions', plural: 'decisions' },
  Administration: { path: '/api/administration-actions', plural: 'administrationActions' },
} as const;

/** The entry at which a chain breaks, as it is now in the database. */
function BrokenEntry({ chain, sequence }: { chain: keyof typeof CHAINS; sequence: number }) {
  const { path, plural } = LISTS[chain];
  const { rows, query } = useList<object>(path, plural, { sequence: String(sequence) });
  if (query.isPending) return null;
  const [entry] = rows;
  if (query.isError) return <Fault error={query.error} retry={query.refetch} />;
  if (entry === undefined) return <Text size="sm">The database has no entry with this number.</Text>;
  return <Details title={`Entry ${sequence}`} label={`Show entry ${sequence}`} entry={entry} />;
}
