import { BRAND } from '@gateway/contract';
import {
  NoteFault,
  readSignatureLine,
  type TreeCheckpoint,
  verifyNote,
  writeAddCheckpoint,
  writeSignatureLine,
} from '@gateway/ledger';
import type { Witness } from '../../config/service.ts';
import type { Report } from '../../process/report.ts';
import type { Upstreams } from '../../upstream/upstreams.ts';
import { flat, textOf, unlessOver } from '../destinations/collector.ts';

export interface WitnessParts {
  readonly upstreams: Upstreams;
  /** The consistency proof of a log between two sizes. */
  readonly path: (checkpoint: TreeCheckpoint, old: number) => Promise<readonly Uint8Array[]>;
  readonly report: Report;
  /** Milliseconds a witness may take for one answer. Default 20,000. */
  readonly patience?: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask(
  { address }: Witness,
  body: string,
  { upstreams, patience = 20_000 }: WitnessParts,
  stopping: AbortSignal,
): Promise<Answer> {
  const upstream = upstreams.of(address);
  if (upstream === null) throw new TypeError('it has no usable address');
  const over = AbortSignal.any([stopping, AbortSignal.timeout(patience)]);
  const asked = upstream.dispatcher.request({
    path: upstream.target('/add-checkpoint'),
    method: 'POST',
    headers: { 'user-agent': BRAND, ...flat(upstream.headers), 'content-type': 'text/plain; charset=utf-8' },
    body,
    signal: over,
  });
  const answer = asked.then(async ({ statusCode, body: given }) => ({ status: statusCode, text: await textOf(given) }));
  return unlessOver(answer, over);
}

/** The lines of an answer that this witness made over the checkpoint. @throws NoteFault where none is. */
function cosignaturesIn(text: string, { text: signed }: TreeCheckpoint, { key }: Witness): readonly string[] {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map(readSignatureLine);
  const own = lines.filter((line) => line.name === key.name && line.hash === key.hash);
  return verifyNote({ text: signed, signatures: own }, [key]).map(writeSignatureLine);
}

/** The size that a witness answers to an old size that it does not know. */
function sizeIn({ status, text }: Answer): number | null {
  return status === 409 && /^(0|[1-9]\d{0,14})\n?$/.test(text) ? Number(text) : null;
}

/** Rounds with one witness: another gateway may publish a checkpoint in between. */
const ROUNDS = 4;

/** The lines of one witness. It tells the size that it knows, where the first guess is wrong. @throws what is wrong */
async function cosignaturesOf(
  witness: Witness,
  checkpoint: TreeCheckpoint,
  parts: WitnessParts,
  stopping: AbortSignal,
): Promise<readonly string[]> {
  let old = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const body = writeAddCheckpoint(old, await parts.path(checkpoint, old), checkpoint.note);
    const answer = await ask(witness, body, parts, stopping);
    if (answer.status === 200) return cosignaturesIn(answer.text, checkpoint, witness);
    const known = sizeIn(answer);
    if (known === null || known === old) throw new Error(refusal(answer, checkpoint));
    if (known > checkpoint.size) {
      throw new Error(
        `it knows ${known} entries, the log had ${checkpoint.size}: another gateway published a later checkpoint, or a backup was restored`,
      );
    }
    old = known;
  }
  throw new Error('it names another size each time');
}

function refusal({ status }: Answer, { size }: TreeCheckpoint): string {
  if (status === 422)
    return `it refuses the proof (422): the log of ${size} entries does not continue the one it knows`;
  if (status === 409) return `it knows another log of ${size} entries (409): the log was forked, or a backup restored`;
  return `it answered ${status}`;
}

/**
 * Asks all witnesses for their lines, each by itself: one that is away delays no other. A line that does not hold is left out.
 * @param onLines called with the lines of each witness as they come.
 */
export async function collectCosignatures(
  witnesses: readonly Witness[],
  checkpoint: TreeCheckpoint,
  parts: WitnessParts,
  stopping: AbortSignal,
  onLines: (lines: readonly string[]) => void,
): Promise<void> {
  await Promise.all(
    witnesses.map(async (witness) => {
      try {
        onLines(await cosignaturesOf(witness, checkpoint, parts, stopping));
      } catch (error) {
        if (stopping.aborted) return;
        const cause = error instanceof NoteFault ? `its answer does not hold. ${error.message}` : causeOf(error);
        parts.report(
          `GATEWAY_WITNESSES_FILE: the witness ${witness.key.name} (${witness.address}) did not cosign ${checkpoint.origin}: ${cause}`,
        );
      }
    }),
  );
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'TimeoutError' ? 'it did not answer in time' : error.message || error.name;
}
