import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { watchDisk } from './disk-watch.ts';
import { makeWorkdir } from './testing/run.ts';

const MEBIBYTE = 2 ** 20;
const MOST = { bytes: MEBIBYTE, files: 500 };
let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
beforeEach(async () => {
  workdir = await makeWorkdir();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await workdir.remove();
});

/** The bytes written here. The file system's own number includes other writers, and tests run in parallel. */
const disk = vi.hoisted(() => ({ bytes: 0, files: 0 }));
vi.mock('node:fs/promises', async (load) => ({
  ...(await load<object>()),
  statfs: () => Promise.resolve({ bfree: 2 ** 40 - disk.bytes, bsize: 1, ffree: 2 ** 20 - disk.files }),
}));

function write(path: string, mebibytes: number): void {
  writeFileSync(path, Buffer.alloc(mebibytes * MEBIBYTE, 1));
  disk.bytes += mebibytes * MEBIBYTE;
  disk.files += 1;
}

/** A watched directory. @param adding is called each time it was added up, before that is judged */
function watch(adding: (times: number) => void = () => {}) {
  const met: string[] = [];
  let times = 0;
  const stop = watchDisk(
    workdir.path,
    MOST,
    () => void met.push('met'),
    async () => {
      times += 1;
      adding(times);
      return [];
    },
  );
  onTestFinished(stop);
  /** Advances time in small steps while no scan runs. Does nothing once the bound was exceeded. */
  const pass = async (until: () => boolean) => {
    const isOver = () => until() || met.length > 0;
    for (let passed = 0; !isOver() && passed < 200_000; await new Promise((resolve) => setImmediate(resolve))) {
      if (vi.getTimerCount() === 0) continue;
      vi.advanceTimersByTime(100);
      passed += 100;
    }
  };
  const idle = () => vi.getTimerCount() > 0;
  return { met, pass, idle, times: () => times };
}

describe('the watch of a directory', () => {
  it('scans again soon where the bound may be exceeded, even after a slow scan', async () => {
    const { met, pass, idle } = watch((times) => {
      if (times === 1) vi.advanceTimersByTime(60_000);
    });
    await pass(idle);
    write(join(workdir.path, 'large'), 32);
    await pass(() => false);
    expect(met).toEqual(['met']);
  });
  it('allows a directory far beyond its bound to shrink, but not to grow', async () => {
    const beside = await makeWorkdir();
    onTestFinished(() => beside.remove());
    for (let index = 0; index < 6; index += 1) write(join(workdir.path, `f${index}`), 3);
    const { met, pass, idle, times } = watch();
    await pass(idle);
    for (const seen of [1, 2]) {
      rmSync(join(workdir.path, `f${seen}`));
      write(join(beside.path, `f${seen}`), 32); // so that it is scanned again
      await pass(() => times() > seen);
      await pass(idle);
    }
    expect(met).toEqual([]);
    write(join(workdir.path, 'large'), 32);
    await pass(() => false);
    expect(met).toEqual(['met']);
  });
  it('ends what is within its own bound where the directories together are not', async () => {
    write(join(workdir.path, 'small'), 0.5);
    const together = { most: 3 * MEBIBYTE, before: 0, others: () => 3 * MEBIBYTE, measured() {} };
    const met = await new Promise((resolve) => {
      onTestFinished(watchDisk(workdir.path, MOST, () => resolve('met'), undefined, together));
    });
    expect(met).toBe('met');
  });
  it('allows them to shrink where they already exceeded their bound', async () => {
    write(join(workdir.path, 'small'), 0.5);
    const measured: number[] = [];
    let met = false;
    const together = { most: MEBIBYTE, before: 9 * MEBIBYTE, others: () => 8 * MEBIBYTE };
    const exceeded = () => {
      met = true;
    };
    await new Promise<void>((resolve) => {
      const take = (bytes: number) => {
        measured.push(bytes);
        resolve();
      };
      onTestFinished(watchDisk(workdir.path, MOST, exceeded, undefined, { ...together, measured: take }));
    });
    expect([met, measured]).toEqual([false, [expect.any(Number)]]);
  });
});
