import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAlone } from '../testing/own-process.ts';
import { gone, processesWith, running, uniqueSleep, until } from '../testing/processes.ts';
import { begin, collect, SMALL, shell } from '../testing/run.ts';
import { openSandboxes, possible, type Sandboxes } from '../testing/sandboxes.ts';
import { findHierarchies } from './control-groups.ts';

let at: Sandboxes;
beforeAll(async () => {
  if (possible) at = await openSandboxes();
});
afterAll(() => at?.close());

describe.runIf(possible)('what a command takes is bounded', () => {
  it('children reach the limit of processes', async () => {
    const { stdout } = await at.perl(
      'my $n = 0; for (1..200) { my $p = fork; if (!defined $p) { print "$n $!"; last } if ($p == 0) { sleep 60; exit } $n++ }',
    );
    expect(stdout).toMatch(/^\d+ Resource temporarily unavailable$/);
    expect(Number.parseInt(stdout, 10)).toBeGreaterThan(20);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(SMALL.processes);
  });
  it('a fork bomb does too, and ends with its command', async () => {
    const marker = uniqueSleep();
    const words = { interpreter: 'perl', arguments: ['-e', `$0 = "${marker}"; fork while 1`] };
    const run = await begin(at.launcher, at.workdir, shell('', words));
    await until(() => processesWith(marker).length > 20);
    expect(processesWith(marker).length).toBeLessThanOrEqual(SMALL.processes + 4); // The sandbox's own programs are four.
    run.run.stop('revoked');
    await gone(marker);
    await collect(run);
  });
  it('a command that exceeds its memory is ended, and the cause is reported', async () => {
    const { end, events } = await at.sh('head -c 400000000 /dev/zero | tail -c 400000000 | wc -c');
    expect(end.fault).toBe('The command met its limit of memory.');
    expect(events.map(({ evenement }) => evenement)).toContain('erreur');
  });
  it.each(['/tmp', '/dev/shm', '/var/tmp'])('%s has a size', async (directory) => {
    const { stderr } = await at.sh(`head -c 20000000 /dev/zero > ${directory}/big`);
    expect(stderr).toMatch(/No space left/);
  });
  it('a large file reaches the limit of the disk', async () => {
    const { end } = await at.sh('head -c 40000000 /dev/zero > big; s=$(stat -c %s big); rm big; [ $s -le 16777216 ]');
    expect(end.code).toBe(0);
  });
  it('many files together reach it, too', async () => {
    const { end } = await at.sh('i=0; while :; do head -c 4000000 /dev/zero > f$i; i=$((i+1)); done', {
      session: 'full',
    });
    expect(end.cause).toBe('disk');
    rmSync(join(at.workdir, 'full'), { recursive: true });
  });
  it('and so do many empty ones', async () => {
    const { end } = await at.sh('i=0; while :; do : > f$i; i=$((i+1)); done', { session: 'many' });
    expect(end.cause).toBe('disk');
    rmSync(join(at.workdir, 'many'), { recursive: true });
  });
  it('and so do files that are open and have no name any more', async () => {
    const { end } = await at.perl(
      'for my $n (1..10) { open(my $f, ">", "f$n") or die; unlink "f$n"; print $f "x" x 4000000; $f->flush; push @open, $f } sleep 60',
    );
    expect(end.cause).toBe('disk');
  });
  it('space can be taken only by writing: any other way takes all of it in a moment', async () => {
    const { stdout } = await at.sh('fallocate -l 8M reserved 2>&1; stat -c %b reserved; rm reserved', {
      session: 'fast',
    });
    expect(stdout).toMatch(/Operation not supported\n0\n$/);
  });
  it('descriptors are counted', async () => {
    const { stdout } = await at.perl('my @f; while (open(my $f, "<", "/dev/null")) { push @f, $f } print scalar(@f)');
    expect(Number(stdout)).toBeGreaterThan(900);
    expect(Number(stdout)).toBeLessThan(SMALL.descriptors);
  });
  it('processor time is shared out', async () => {
    // A tenth of a processor, which it gets even where the machine has little to give.
    const limits = { ...SMALL, processors: 0.1 };
    const slow = await at.open({ ...at.settings, limits });
    const marker = uniqueSleep();
    const run = await begin(slow, at.workdir, shell(`: ${marker}; while :; do :; done`), limits);
    await running(marker);
    await until(() => processesWith(marker).some((pid) => throttled(pid) > 0));
    run.run.stop('revoked');
    expect((await collect(run)).end.cause).toBe('revoked');
  });
  it('a flood of output is cut', async () => {
    const { end, stdout } = await at.sh('yes');
    expect(end.cause).toBe('output');
    expect(stdout.length).toBeLessThanOrEqual(SMALL.output);
  });
  it('a hang reaches the limit of duration', async () => {
    const { end, events } = await at.sh('sleep 1000', {}, { ...SMALL, duration: 200 });
    expect(end.cause).toBe('duration');
    expect(events.at(-1)).toMatchObject({ evenement: 'fin', interrompu: true });
  });
});

describe.runIf(possible)('nothing of a command stays', () => {
  it('a daemon ends with the command that left it', async () => {
    const marker = uniqueSleep();
    await at.sh(`setsid sh -c 'sleep ${marker} & sleep ${marker}' >/dev/null 2>&1 & sleep 0.1`);
    await gone(marker);
    expect(processesWith(marker)).toEqual([]);
  });
  it('orphans end when the command is killed', async () => {
    const marker = uniqueSleep();
    const run = await begin(
      at.launcher,
      at.workdir,
      shell(`(setsid sleep ${marker} &); trap '' TERM; sleep ${marker}`),
    );
    await until(() => processesWith(marker).length >= 4);
    run.run.stop('revoked');
    await gone(marker);
    expect((await collect(run)).end).toMatchObject({ cause: 'revoked' });
  });
  it('none is left if a command is stopped at any moment of its start', async () => {
    const delays = Array.from({ length: 40 }, (_, index) => index);
    await Promise.all(
      (
        [
          ['interrupted', 20],
          ['revoked', 20],
        ] as const
      ).map(async ([cause, most]) => {
        for (const delay of delays.slice(0, most)) {
          const marker = uniqueSleep();
          const run = await begin(at.launcher, at.workdir, shell(`sleep ${marker}`));
          await new Promise((resolve) => setTimeout(resolve, delay));
          run.run.stop(cause);
          expect((await collect(run)).end.cause).toBe(cause);
          await gone(marker);
        }
      }),
    );
  });
  it('a first process that obeys SIGTERM ends immediately and reports it', async () => {
    const run = await begin(
      at.launcher,
      at.workdir,
      shell("trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.05; done"),
    );
    await until(() => run.launched.stdout.bytes > 0);
    run.run.stop('interrupted');
    const { end, stdout } = await collect(run);
    expect(end).toMatchObject({ code: 3, cause: 'interrupted' });
    expect(stdout).toBe('up\nbye\n');
  });
  it('no group is left of one that the system does not start', async () => {
    const tooLong = shell('', { arguments: ['-c', ':', 'x'.repeat(2 ** 17)] });
    await expect(begin(at.launcher, at.workdir, tooLong)).rejects.toMatchObject({ code: 'E2BIG' });
    expect(groupsOf(process.pid)).toEqual([]);
  });
  it('all of it ends when the gateway is killed', async () => {
    const marker = uniqueSleep();
    const child = startAlone(at.workdir, `sleep ${marker} & sleep ${marker}`);
    await running(`sleep\0${marker}`);
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await Promise.all([exit, gone(marker)]);
    // The next start removes the groups that were left, or the one after it where a process has not left its group yet.
    const left = async () => {
      await at.open(at.settings);
      return groupsOf(child.pid);
    };
    await expect.poll(left).toEqual([]);
  });
});

/** Control groups that a gateway made for its commands. */
function groupsOf(gateway: number | undefined): string[] {
  const all = findHierarchies().flatMap(({ directory }) => readdirSync(directory));
  return all.filter((name) => name.startsWith(`gateway-command-${gateway}-`));
}

/** Throttled periods of the group a process is in. */
function throttled(pid: number): number {
  try {
    const groups = readFileSync(`/proc/${pid}/cgroup`, 'latin1');
    const [, first] = /^\d+:cpu(?:,[^:]*)?:(.*)$/m.exec(groups) ?? [];
    const [, second] = /^0::(.*)$/m.exec(groups) ?? [];
    const file = first === undefined ? `/sys/fs/cgroup${second}/cpu.stat` : `/sys/fs/cgroup/cpu${first}/cpu.stat`;
    return Number(/^nr_throttled (\d+)$/m.exec(readFileSync(file, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
