import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Acceptor } from './acceptor.ts';
import { createKeeper, type Keeper } from './keeper.ts';

const PROGRAM = fileURLToPath(new URL('./testing/child.ts', import.meta.url));

let folder: string;
let acceptor: Acceptor;
let keepers: Keeper[];
let lines: string[];
let hopeless: number;
let watchers: Set<() => void>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = mkdtempSync(join(tmpdir(), 'gateway-keeper-'));
  acceptor = new Acceptor();
  acceptor.server.listen(0, '127.0.0.1');
  await once(acceptor.server, 'listening');
  [keepers, lines, hopeless, watchers] = [[], [], 0, new Set()];
});
afterEach(async () => {
  await Promise.all(keepers.map((one) => one.stop()));
  acceptor.close();
  rmSync(folder, { recursive: true, force: true });
  vi.useRealTimers();
});

function keeper(count: number, behaviours: Readonly<Record<number, string>> = {}): Keeper {
  for (const [number, behaviour] of Object.entries(behaviours)) behave(Number(number), behaviour);
  const say = (line: string): void => {
    lines.push(line.replace(/process \d+/, 'process N'));
    for (const look of watchers) look();
  };
  const one = createKeeper({
    count,
    program: PROGRAM,
    path: folder,
    acceptor,
    report: say,
    onLine: (worker, line) => say(`${worker}: ${line}`),
    onHopeless() {
      hopeless += 1;
      for (const look of watchers) look();
    },
  });
  keepers.push(one);
  return one;
}

const behave = (worker: number, behaviour: string): void => writeFileSync(join(folder, String(worker)), behaviour);

const says = (line: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (lines.includes(line)) resolve();
    };
    watchers.add(look);
    look();
  });

async function ask(path = '/'): Promise<{ readonly name: string; readonly pid: number }> {
  const { port } = acceptor.server.address() as AddressInfo;
  return (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as { name: string; pid: number };
}

describe('workers', () => {
  it('serve connections in turn once all are ready, and none after they announced their end', async () => {
    expect(await keeper(2).start()).toBe(true);
    const names: string[] = [];
    for (let times = 0; times < 4; times += 1) names.push((await ask()).name);
    expect(names.toSorted()).toEqual(['worker 1', 'worker 1', 'worker 2', 'worker 2']);
    const leaver = (await ask('/leave')).name;
    const remaining = new Set<string>();
    for (let times = 0; times < 3; times += 1) remaining.add((await ask()).name);
    expect([...remaining]).toEqual([leaver === 'worker 1' ? 'worker 2' : 'worker 1']);
    expect(lines).toEqual([]);
  });

  it('get the order to reload, and their lines come with their number', async () => {
    const all = keeper(1);
    await all.start();
    all.reload();
    await says('1: worker 1 reloads');
    expect(lines).toHaveLength(1);
  });

  it('do not start where one of them ends before, and the others are ended then', async () => {
    const all = keeper(2, { 1: 'hang', 2: 'exit 1' });
    expect(await all.start()).toBe(false);
    expect(await all.stop()).toBe(false);
    expect(lines).toEqual([]);
  });

  it.each([
    ['in order', 'serve', true],
    ['with a fault', 'fail at the end', false],
    ['by a signal', 'refuse to stop', false],
  ])('that end %s at the stop are reported to their caller', async (_how, behaviour, inOrder) => {
    const all = keeper(1, { 1: behaviour });
    await all.start();
    expect(await all.stop()).toBe(inOrder);
    expect(lines).toEqual([]);
  });
});

describe('a worker that ended', () => {
  const again = (milliseconds: number, what: string): string =>
    `Worker 1 (process N) ${what}. It is started again in ${milliseconds} ms.`;

  it('is started again after a moment, and later if it ends again soon', async () => {
    await keeper(1).start();
    const first = await ask();
    process.kill(first.pid, 'SIGKILL');
    await says(again(100, 'ended (signal SIGKILL)'));
    const waiting = ask();
    vi.advanceTimersByTime(100);
    await says('Worker 1 serves again (process N).');
    const second = await waiting;
    expect(second.pid).not.toBe(first.pid);
    process.kill(second.pid, 'SIGTERM');
    await says(again(200, 'ended (signal SIGTERM)'));
    expect(hopeless).toBe(0);
  });

  it('and cannot be started five times in a row ends the gateway', async () => {
    await keeper(1).start();
    const { pid } = await ask();
    behave(1, 'exit 5');
    process.kill(pid, 'SIGKILL');
    await says(again(100, 'ended (signal SIGKILL)'));
    for (const wait of [100, 200, 400, 800]) {
      vi.advanceTimersByTime(wait);
      await says(again(wait * 2, 'could not be started (exit code 5)'));
    }
    expect(hopeless).toBe(0);
    vi.advanceTimersByTime(1600);
    await says('Worker 1 could not be started 5 times in a row: the gateway ends.');
    await new Promise(setImmediate);
    expect(hopeless).toBe(1);
  });

  it('is not started again once the gateway is stopped', async () => {
    const all = keeper(1);
    await all.start();
    process.kill((await ask()).pid, 'SIGKILL');
    await says(again(100, 'ended (signal SIGKILL)'));
    expect(await all.stop()).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(1);
  });
});
