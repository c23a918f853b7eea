import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BRAND } from '@gateway/contract';
import { ACTIONS, type ChainName, type CheckpointSigner, DECISIONS } from '@gateway/database';
import type { LogTrees } from '@gateway/database/audit-log/log-reader';
import {
  makeCheckpoint,
  NoteFault,
  openTreeCheckpoint,
  partsOfOrigin,
  readSignatureLine,
  type SealedPosition,
  type Signer,
  type TreeCheckpoint,
  TreeFault,
  toNoteKey,
  verifyNote,
  writeAddCheckpoint,
  writeSignatureLine,
} from '@gateway/ledger';
import type { Witness } from '../config/service.ts';
import { createRecurringFault, type Report } from '../process/report.ts';
import type { Upstreams } from '../upstream/upstreams.ts';
import { bodyText, flat, unlessOver } from './collector.ts';
import { actorOf, baseOf, ENTITY_MANAGEMENT } from './ocsf.ts';
import type { CollectorEvent } from './outgoing.ts';

interface WitnessParts {
  readonly upstreams: Upstreams;
  /** The consistency proof of a log between two sizes. */
  readonly path: (checkpoint: TreeCheckpoint, old: number) => Promise<readonly Uint8Array[]>;
  readonly report: Report;
  /** Milliseconds a witness may take for one answer. Default 20,000. */
  readonly patience?: number;
}

interface WitnessAnswer {
  readonly status: number;
  readonly text: string;
}

async function ask(
  { address }: Witness,
  body: string,
  { upstreams, patience = 20_000 }: WitnessParts,
  stopping: AbortSignal,
): Promise<WitnessAnswer> {
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
  const answer = asked.then(async ({ statusCode, body: given }) => ({
    status: statusCode,
    text: await bodyText(given),
  }));
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
function sizeIn({ status, text }: WitnessAnswer): number | null {
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

function refusal({ status }: WitnessAnswer, { size }: TreeCheckpoint): string {
  if (status === 422)
    return `it refuses the proof (422): the log of ${size} entries does not continue the one it knows`;
  if (status === 409) return `it knows another log of ${size} entries (409): the log was forked, or a backup restored`;
  return `it answered ${status}`;
}

/**
 * Asks all witnesses for their lines, each by itself: one that is away delays no other. A line that does not hold is left out.
 * @param onLines called with the lines of each witness as they come.
 */
async function collectCosignatures(
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

/** A reader finds the file as it was, or the new text. */
export function replaceFile(file: string, text: string): void {
  const writing = `${file}.${process.pid}.writing`; // gateways of one machine may share the directory
  writeFileSync(writing, text, { mode: 0o644 });
  renameSync(writing, file);
}

export interface TreeNoteOptions {
  readonly trees: LogTrees;
  readonly signer: CheckpointSigner;
  /** GATEWAY_CHECKPOINT_FILE: the notes are written beside it. */
  readonly file: string;
  readonly witnesses: readonly Witness[];
  readonly upstreams: Upstreams;
  readonly report: Report;
}

/** Checkpoints in note form, by their logs. */
export type TreeNotes = Readonly<Partial<Record<ChainName, string>>>;

/** Publishes the checkpoints in note form. */
export interface TreeNotePublisher {
  /** Signs and writes one for each log. @throws DatabaseUnavailable */
  publish(): Promise<TreeNotes>;
  /** Asks the witnesses about the last ones, and writes their lines. @returns the notes; null where no witness cosigned. */
  cosign(stopping: AbortSignal): Promise<TreeNotes | null>;
}

/** `checkpoint.note` → `checkpoint.authorization_decisions.note` */
function fileOf(file: string, chain: ChainName): string {
  return join(dirname(file), `${basename(file).replace(/\.note$/, '')}.${chain}.note`);
}

export function createTreeNotes(options: TreeNoteOptions): TreeNotePublisher {
  const { trees, signer, file, witnesses, upstreams, report } = options;
  const last = new Map<ChainName, TreeCheckpoint>();

  /** The published checkpoint before, if this gateway signed it: null where there is none. */
  function before(chain: ChainName, { origin }: TreeCheckpoint): TreeCheckpoint | null {
    const key = toNoteKey(partsOfOrigin(origin).name, signer.signer.publicKey);
    try {
      const checkpoint = openTreeCheckpoint(readFileSync(fileOf(file, chain), 'utf8'), [key]);
      return checkpoint.origin === origin ? checkpoint : null;
    } catch (error) {
      if (error instanceof NoteFault || (error instanceof Error && 'code' in error)) return null;
      throw error;
    }
  }

  /** A fork must not be continued silently: a restored backup, or a standby without the last entries. */
  async function checkContinued(chain: ChainName, next: TreeCheckpoint): Promise<void> {
    const old = before(chain, next);
    if (old === null || (await trees.isContinued(chain, old, next))) return;
    report(
      `${next.origin}: the log of ${next.size} entries does not continue the published checkpoint of ${old.size}. A backup was restored, a standby ` +
        `without the last entries promoted, or the log was changed. The old checkpoint is kept as ${fileOf(file, chain)}.before`,
      'error',
    );
    replaceFile(`${fileOf(file, chain)}.before`, old.note);
  }

  async function publishOne(chain: ChainName): Promise<void> {
    try {
      const checkpoint = await trees.sign(chain, signer);
      await checkContinued(chain, checkpoint);
      replaceFile(fileOf(file, chain), checkpoint.note);
      last.set(chain, checkpoint);
    } catch (error) {
      last.delete(chain);
      if (!(error instanceof TreeFault)) throw error;
      report(`GATEWAY_CHECKPOINT_FILE: no checkpoint of the tree of ${chain} was signed. ${error.message}`, 'error');
    }
  }

  return {
    async publish() {
      for (const chain of [DECISIONS, ACTIONS] as const) await publishOne(chain);
      return Object.fromEntries([...last].map(([chain, { note }]) => [chain, note]));
    },
    async cosign(stopping) {
      if (witnesses.length === 0) return null;
      const notes: Partial<Record<ChainName, string>> = {};
      let cosigned = false;
      await Promise.all(
        [...last].map(async ([chain, checkpoint]) => {
          notes[chain] = checkpoint.note;
          const path = (one: TreeCheckpoint, old: number) => trees.path(chain, old, one.size);
          await collectCosignatures(witnesses, checkpoint, { upstreams, path, report }, stopping, (lines) => {
            notes[chain] = `${notes[chain]}${lines.join('')}`;
            replaceFile(fileOf(file, chain), notes[chain]);
            cosigned = true;
          });
        }),
      );
      return cosigned ? notes : null;
    },
  };
}

interface TreeBuildingOptions {
  readonly trees: Pick<LogTrees, 'build'>;
  readonly report: Report;
  /** Milliseconds between looks for new entries. Default 30,000. */
  readonly everyMs?: number;
}

/**
 * Appends new entries to the trees of the logs, a tile of 256 at a time, so that a proof never has to build much. No call waits for
 * it: it reads what is committed. Of several gateways on one database, one does it at a time.
 */
export function startTreeBuilding({ trees, report, everyMs = 30_000 }: TreeBuildingOptions): {
  readonly stop: () => Promise<void>;
} {
  const fault = createRecurringFault('The tree over the logs was not extended, and is tried again', report);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function build(): Promise<void> {
    for (const chain of [DECISIONS, ACTIONS] as const) {
      let more = true;
      while (more && !stopping.signal.aborted) more = await trees.build(chain);
    }
  }

  function schedule(): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = build()
        .catch((error: unknown) => fault.report(error))
        .then(schedule);
    }, everyMs);
    timer.unref();
  }

  schedule();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
      fault.settle();
    },
  };
}

/** A signed note of the heads of both logs. */
export interface PublishedCheckpoint {
  /** ISO 8601. */
  readonly at: string;
  readonly positions: readonly SealedPosition[];
  /** The text of the note, as `gatewayctl journal verify --since` reads it. */
  readonly note: string;
  /** In note form, by their logs. */
  readonly treeNotes: TreeNotes;
}

export interface CheckpointOptions {
  readonly intervalMs: number;
  /** Replaced as a whole by each checkpoint. Its age determines when the next one is due. */
  readonly file: string;
  readonly readPositions: () => Promise<readonly SealedPosition[]>;
  readonly signer: Signer;
  /** Publishes the checkpoints in note form beside this one. */
  readonly treeNotes: TreeNotePublisher;
  readonly onPublished: (checkpoint: PublishedCheckpoint) => void;
  readonly report: Report;
  /** Milliseconds until the first one, where there is no file. Default 600,000: until then a new log has entries. */
  readonly firstMs?: number;
  /** Milliseconds until a checkpoint that failed is tried again. Default 60,000. */
  readonly retryMs?: number;
}

/** Publishes checkpoints on a schedule, so that an auditor has them without a request. */
export function publishCheckpoints(options: CheckpointOptions): { readonly stop: () => Promise<void> } {
  const { intervalMs, file, readPositions, signer, treeNotes, onPublished, report } = options;
  const { firstMs = 600_000, retryMs = 60_000 } = options;
  const fault = createRecurringFault(
    `GATEWAY_CHECKPOINT_FILE: the checkpoint was not written to ${file}, and is tried again`,
    report,
  );
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  let cosigning: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();

  async function publish(): Promise<void> {
    const positions = await readPositions();
    const at = new Date().toISOString();
    const note = makeCheckpoint(signer, at, positions);
    const notes = await treeNotes.publish();
    replaceFile(file, note); // last: its age determines when the next one is due
    onPublished({ at, positions, note, treeNotes: notes });
    cosigning = Promise.all([cosigning, cosign({ at, positions, note })]);
  }

  /** Behind the schedule: a witness may take its time. */
  async function cosign(published: Omit<PublishedCheckpoint, 'treeNotes'>): Promise<void> {
    try {
      const notes = await treeNotes.cosign(stopping.signal);
      if (notes !== null) onPublished({ ...published, treeNotes: notes });
    } catch (error) {
      fault.report(error);
    }
  }

  function schedule(milliseconds: number): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = publish().then(
        () => schedule(intervalMs),
        (error: unknown) => {
          fault.report(error);
          schedule(retryMs);
        },
      );
    }, milliseconds);
    timer.unref();
  }

  const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  const due = writtenAt === undefined ? firstMs : writtenAt + intervalMs - Date.now();
  schedule(Math.min(intervalMs, Math.max(0, due)));
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      stopping.abort();
      await running;
      await cosigning;
      fault.settle();
    },
  };
}

/** The checkpoint as an event of the log export: a collector outside of the operator's reach keeps it for the auditor. */
export function checkpointEvent({ at, positions, note, treeNotes }: PublishedCheckpoint): CollectorEvent {
  const uid = createHash('sha256')
    .update(note + Object.values(treeNotes).join(''))
    .digest('hex');
  const ends = positions.map(({ chain, sequence }) => `${chain} ${sequence}`).join(', ');
  const event = {
    ...baseOf({
      class: ENTITY_MANAGEMENT,
      activity: 99,
      activityName: 'journal.checkpoint',
      severity: 1,
      status: 1,
      at,
      message: `Checkpoint of the logs: ${ends}`,
      uid,
      log: 'checkpoints',
      position: positions[0]?.sequence ?? 0n,
      correlation: null,
    }),
    status_code: 'journal.checkpoint',
    actor: actorOf(null, null, 'gateway'),
    entity: { name: 'checkpoint', type: 'journal', data: { note, checkpoints: treeNotes } },
  };
  return { source: 'checkpoints', uid, time: Date.parse(at), severity: 1, json: JSON.stringify(event) };
}
