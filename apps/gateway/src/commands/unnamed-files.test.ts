import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { countUnnamedBytes, watchDisk } from './disk-watch.ts';
import { makeWorkdir, SMALL } from './testing/run.ts';

const MEBIBYTE = 2 ** 20;
let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
let device: number;
let opened: number[];
beforeEach(async () => {
  workdir = await makeWorkdir();
  device = statSync(workdir.path).dev;
  opened = [];
});
afterEach(async () => {
  for (const descriptor of opened) closeSync(descriptor);
  await workdir.remove();
});

/** A file of this process without a name. */
function hide(bytes: number): void {
  const path = join(workdir.path, `hidden-${opened.length}`);
  const descriptor = openSync(path, 'w');
  opened.push(descriptor);
  writeSync(descriptor, Buffer.alloc(bytes, 1));
  rmSync(path);
}

describe('files without a name', () => {
  it('count while a process has them open, each once', async () => {
    const before = await countUnnamedBytes([process.pid], device);
    hide(3 * MEBIBYTE);
    const now = await countUnnamedBytes([process.pid, process.pid], device);
    expect(now - before).toBeGreaterThanOrEqual(3 * MEBIBYTE);
    expect(now - before).toBeLessThan(4 * MEBIBYTE);
    expect(await countUnnamedBytes([process.pid], device + 1)).toBe(0);
  });
  // The system shows what is mapped to the superuser alone (man proc: /proc/pid/map_files).
  it.runIf(process.geteuid?.() === 0)('count while a process has them mapped', async () => {
    const program = join(workdir.path, 'program');
    copyFileSync('/bin/sleep', program);
    appendFileSync(program, Buffer.alloc(3 * MEBIBYTE, 1));
    chmodSync(program, 0o755);
    const child: ChildProcess = spawn(program, ['600'], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('spawn', resolve));
    onTestFinished(() => void child.kill('SIGKILL'));
    rmSync(program);
    // A process is known to have begun a program before the program's file is mapped.
    await expect.poll(() => countUnnamedBytes([child.pid ?? 0], device)).toBeGreaterThanOrEqual(3 * MEBIBYTE);
  });
  it('count where the first thread of the process has ended before the others', async () => {
    const exit = process.arch === 'x64' ? 60 : 93; // of the calling thread alone
    const hold = `open(my $f, ">", "f") or die; unlink "f"; print $f "x" x ${3 * MEBIBYTE}; $f->flush`;
    const untilFirstEnded = 'select(undef, undef, undef, 0.01) while readlink "/proc/$$/exe"';
    const thread = `sub { ${hold}; ${untilFirstEnded}; $| = 1; print "held\\n"; sleep 600 }`;
    const script = `use threads; threads->create(${thread})->detach; syscall(${exit}, 0)`;
    const child = spawn('perl', ['-e', script], { cwd: workdir.path, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(await countUnnamedBytes([child.pid ?? 0], device)).toBeGreaterThanOrEqual(3 * MEBIBYTE);
  });
  it('are none for a process that has ended', async () => {
    expect(await countUnnamedBytes([2 ** 22 + 1], device)).toBe(0);
  });
  it('take a directory past its bound, also where they were there before the first look', async () => {
    const bounds = { bytes: MEBIBYTE, files: SMALL.files };
    hide(4 * MEBIBYTE);
    const met = new Promise((resolve) => {
      const exceeded = (): void => resolve('met');
      watchDisk(workdir.path, bounds, exceeded, async () => [process.pid]);
    });
    expect(await met).toBe('met');
  });
  it('exceed the bound even where as much was freed elsewhere', async () => {
    const beside = await makeWorkdir();
    const freed = join(beside.path, 'freed');
    writeFileSync(freed, Buffer.alloc(8 * MEBIBYTE, 1));
    const looked = Promise.withResolvers<void>();
    let looks = 0;
    const met = new Promise((resolve) => {
      const exceeded = (): void => resolve('met');
      watchDisk(workdir.path, { bytes: MEBIBYTE, files: SMALL.files }, exceeded, async () => {
        looked.resolve();
        looks += 1;
        return looks === 1 ? [] : [process.pid]; // the first scan finds nothing, however late it continues
      });
    });
    await looked.promise;
    rmSync(freed);
    hide(4 * MEBIBYTE);
    expect(await met).toBe('met');
    await beside.remove();
  });
});
