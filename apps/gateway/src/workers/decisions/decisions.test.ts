import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decision, Detection } from '@gateway/contract';
import { DatabaseUnavailable } from '@gateway/database';
import { aDecision, aDetection } from '@gateway/database/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Hub, openHub } from '../hub.ts';
import { writeJsonLine } from '../json-lines.ts';
import { createRemoteDecisions } from './client.ts';
import { createDecisionServer } from './server.ts';

/** A decision log that writes what a test orders. */
function heldLog() {
  const taken: {
    readonly decision: Decision;
    readonly deadline: number;
    readonly detections: readonly Detection[];
    end(error: Error | null): void;
  }[] = [];
  const later: { decision: Decision; end(): void }[] = [];
  let seen = (): void => {};
  return {
    taken,
    later,
    async has(count: number): Promise<void> {
      while (taken.length + later.length < count) await new Promise<void>((resolve) => (seen = resolve));
    },
    record(
      decision: Decision,
      deadline: number,
      detections: readonly Detection[],
      recorded: (error: Error | null, sequence: bigint) => void,
    ) {
      taken.push({ decision, deadline, detections, end: (error) => recorded(error, 1n) });
      seen();
    },
    isClosed: false,
    appendLater(decision: Decision, _: readonly Detection[] = [], settled = () => {}): boolean {
      if (this.isClosed) return false;
      later.push({ decision, end: settled });
      seen();
      return true;
    },
  };
}

let folder: string;
let hub: Hub;
let log: ReturnType<typeof heldLog>;
let server: ReturnType<typeof createDecisionServer>;
let sockets: Socket[];
let batches: number[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-hub-'));
  [log, sockets, batches] = [heldLog(), [], []];
  server = createDecisionServer(log);
  hub = await openHub(folder, (socket) => server.serve(socket));
});
afterEach(() => {
  hub.close();
  for (const socket of sockets) socket.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function client(capacity = 10) {
  const socket = connect(hub.path);
  sockets.push(socket);
  writeJsonLine(socket, { ask: 'decisions' });
  return createRemoteDecisions({ socket, capacity, onBatch: (size) => batches.push(size) });
}
const soon = (): number => performance.now() + 60_000;
const refused = () => aDecision({ outcome: 'refused', reason: 'role-missing', status: 403 });

it('a decision is recorded once it is durable in the main process, with what was found in its request', async () => {
  const worker = client();
  const decision = aDecision({ requestId: 'line\nbreak "ü"' });
  const detection = aDetection();
  let done = false;
  const recorded = worker.append(decision, soon(), [detection]).then(() => (done = true));
  await log.has(1);
  expect(log.taken[0]).toMatchObject({ decision, detections: [detection] });
  expect(done).toBe(false);
  server.batch(1);
  log.taken[0]?.end(null);
  await recorded;
  expect(batches).toEqual([1]);
});

it('decisions are distinguished in any order of settlement', async () => {
  const worker = client();
  const ends = [1, 2, 3].map((number) => worker.append(aDecision({ requestId: String(number) }), soon()));
  const settled = Promise.allSettled(ends);
  await log.has(3);
  log.taken[2]?.end(null);
  log.taken[0]?.end(new Error('the disk is full'));
  log.taken[1]?.end(null);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  await expect(ends[0]).rejects.toThrow(new DatabaseUnavailable('the disk is full'));
});

it('without an answer of the main process by the deadline, nothing is relayed', async () => {
  const worker = client();
  await expect(worker.append(aDecision(), performance.now() + 1)).rejects.toThrow(DatabaseUnavailable);
  await log.has(1);
  log.taken[0]?.end(null); // too late: nothing happens
  const next = worker.append(aDecision(), soon());
  await log.has(2);
  log.taken[1]?.end(null);
  await next;
});

it('a main process that ends fails waiting decisions, and no more are accepted', async () => {
  const worker = client();
  const waiting = worker.append(aDecision(), soon());
  await log.has(1);
  hub.close();
  await expect(waiting).rejects.toThrow('the process that appends to the decision log has ended');
  await expect(worker.append(aDecision(), soon())).rejects.toThrow(DatabaseUnavailable);
  expect(worker.appendLater(refused())).toBe(false);
  expect(await worker.drain(60_000)).toBe(0);
});

it('waiting refusals are limited to the worker’s share, until some are written', async () => {
  const worker = client(2);
  const other = client(2);
  expect([1, 2, 3].map(() => worker.appendLater(refused()))).toEqual([true, true, false]);
  expect(other.appendLater(refused())).toBe(true);
  await log.has(3);
  const drained = worker.drain(60_000);
  for (const one of log.later) one.end();
  expect(await drained).toBe(0);
  expect(worker.appendLater(refused())).toBe(true);
  expect(await worker.drain(0)).toBe(1);
});

it('a refusal that the main process takes no more does not delay the end of its worker', async () => {
  log.isClosed = true;
  const worker = client();
  expect(worker.appendLater(refused())).toBe(true);
  expect(await worker.drain(60_000)).toBe(0);
});

it('decisions of many workers are recorded for the worker that asked, also where those of another fail', async () => {
  const workers = [client(), client(), client()];
  const all = workers.flatMap((worker, nth) =>
    [0, 1, 2, 3].map((which) => worker.append(aDecision({ requestId: `${nth}.${which}` }), soon())),
  );
  const settled = Promise.allSettled(all);
  await log.has(12);
  for (const one of log.taken.toReversed()) one.end(one.decision.requestId?.startsWith('1.') ? new Error('no') : null);
  const succeeded = (await settled).map(({ status }) => status === 'fulfilled');
  expect(succeeded).toEqual(all.map((_, nth) => nth < 4 || nth >= 8));
});

it('a worker that dies leaves its decisions to the log, and the next worker is served', async () => {
  const dead = client();
  const lost = dead.append(aDecision({ requestId: 'lost' }), soon());
  await log.has(1);
  sockets[0]?.destroy();
  await expect(lost).rejects.toThrow(DatabaseUnavailable);
  log.taken[0]?.end(null); // nobody waits for it any more
  const next = client().append(aDecision({ requestId: 'next' }), soon());
  await log.has(2);
  log.taken[1]?.end(null);
  await next;
  expect(log.taken.map(({ decision }) => decision.requestId)).toEqual(['lost', 'next']);
});

it('a worker that is closed records nothing any more, and what waited has failed', async () => {
  const worker = client();
  const waiting = worker.append(aDecision(), soon());
  await log.has(1);
  worker.close();
  await expect(waiting).rejects.toThrow(DatabaseUnavailable);
  await expect(worker.append(aDecision(), soon())).rejects.toThrow('the decision log is closed');
  expect(log.taken).toHaveLength(1);
});

it('the time that a decision has left reaches the main process, however its clock differs', async () => {
  const worker = client();
  const before = performance.now();
  const ended = worker.append(aDecision(), before + 5000);
  await log.has(1);
  const deadline = log.taken[0]?.deadline ?? 0;
  expect(deadline).toBeGreaterThan(before);
  expect(deadline - performance.now()).toBeLessThanOrEqual(5001);
  log.taken[0]?.end(null);
  await ended;
});

it('batches of the main process are counted by one worker, once', async () => {
  const [one, other] = [client(), client()];
  const first = one.append(aDecision(), soon());
  await log.has(1);
  for (const size of [1, 20, 300]) server.batch(size);
  log.taken[0]?.end(null);
  await first;
  const second = other.append(aDecision(), soon());
  await log.has(2);
  log.taken[1]?.end(null);
  await second;
  expect(batches).toEqual([1, 20, 300]);
});
