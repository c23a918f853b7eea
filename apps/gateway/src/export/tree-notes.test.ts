import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createSigner,
  generateSigningKey,
  readCheckpoint,
  readVerificationKey,
  type SealedPosition,
} from '@gateway/ledger';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { ocsfFaults } from './testing/ocsf-schema.ts';
import { type CheckpointOptions, checkpointEvent, type PublishedCheckpoint, publishCheckpoints } from './tree-notes.ts';

const POSITIONS: readonly SealedPosition[] = [
  { chain: 'authorization_decisions', sequence: 12n, digest: 'ab'.repeat(32) },
  { chain: 'administration_actions', sequence: 0n, digest: '00'.repeat(32) },
];
const NOTES = { authorization_decisions: 'a note of the tree\n' };
const DAY_MS = 86_400_000;
const signer = createSigner(generateSigningKey());
const key = readVerificationKey(signer.publicKey);
let folder: string;
let file: string;
let published: PublishedCheckpoint[];
let lines: string[];
let stop: () => Promise<void>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-checkpoints-'));
  file = join(folder, 'checkpoint.note');
  published = [];
  lines = [];
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

function start(more: Partial<CheckpointOptions> = {}): void {
  const options = {
    intervalMs: DAY_MS,
    file,
    readPositions: async () => POSITIONS,
    signer,
    treeNotes: { publish: async () => NOTES, cosign: async () => null },
    onPublished: (checkpoint: PublishedCheckpoint) => published.push(checkpoint),
    report: (line: string) => lines.push(line),
    firstMs: 0,
    retryMs: 1,
    ...more,
  };
  ({ stop } = publishCheckpoints(options));
}

it('writes a signed note where there is none, and passes it to the export as a valid event', async () => {
  start();
  await eventually(() => expect(published).toHaveLength(1));
  const text = readFileSync(file, 'utf8');
  expect(readCheckpoint(text, new Map([[key.id, key]])).positions).toEqual(POSITIONS);
  expect(published[0]?.note).toBe(text);
  const event = JSON.parse(checkpointEvent(published[0]!).json) as Record<string, unknown>;
  expect(ocsfFaults(event)).toEqual([]);
  expect(event).toMatchObject({
    message: 'Checkpoint of the logs: authorization_decisions 12, administration_actions 0',
    entity: { data: { note: text, checkpoints: NOTES } },
  });
});

it('continues from the age of the last note after a restart', async () => {
  writeFileSync(file, 'the note of today');
  start();
  await stop();
  expect(readFileSync(file, 'utf8')).toBe('the note of today');
  utimesSync(file, new Date(0), new Date(0));
  start();
  await eventually(() => expect(published).toHaveLength(1));
});

it('passes the lines of witnesses to the export when they come, and waits for none (log-20)', async () => {
  const answers = Promise.withResolvers<typeof NOTES>();
  const cosigned = { authorization_decisions: 'a note of the tree with a line\n' };
  start({ treeNotes: { publish: async () => NOTES, cosign: () => answers.promise } });
  await eventually(() => expect(published).toHaveLength(1));
  answers.resolve(cosigned);
  await eventually(() => expect(published.map(({ treeNotes }) => treeNotes)).toEqual([NOTES, cosigned]));
  expect(checkpointEvent(published[0]!).uid).not.toBe(checkpointEvent(published[1]!).uid);
});

it('makes one after the other', async () => {
  start({ intervalMs: 1 });
  await eventually(() => expect(published.length).toBeGreaterThan(2));
});

it('reports once that the database or the file fails, and tries again', async () => {
  let failures = 3;
  start({
    readPositions: async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('the database is not available');
      return POSITIONS;
    },
  });
  await eventually(() => expect(published).toHaveLength(1));
  const why = `GATEWAY_CHECKPOINT_FILE: the checkpoint was not written to ${file}, and is tried again`;
  expect(lines).toEqual([`${why}: Error: the database is not available`]);
  expect(existsSync(file)).toBe(true);
});
