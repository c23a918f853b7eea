import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { makeCheckpoint, type SealedPosition, type Signer } from '@gateway/ledger';
import { createRecurringFault } from '../process/recurring-fault.ts';
import type { Report } from '../process/report.ts';
import { actorOf, baseOf, ENTITY_MANAGEMENT } from './destinations/ocsf-event.ts';
import type { CollectorEvent } from './destinations/outgoing.ts';
import { replaceFile, type TreeNotePublisher, type TreeNotes } from './tree-notes.ts';

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
