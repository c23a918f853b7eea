import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processLauncher as openLauncher } from './launcher.ts';
import { signalAll } from './processes.ts';
import { gone, processesWith, uniqueSleep, until } from './testing/processes.ts';
import { begin, collect, makeWorkdir, runToEnd, SMALL, shell } from './testing/run.ts';

const pipes = await makeWorkdir();
const processLauncher = await openLauncher(pipes.path);

let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
beforeAll(async () => {
  workdir = await makeWorkdir();
});
afterAll(async () => {
  await workdir.remove();
  await processLauncher.close();
  await pipes.remove();
});
const sh = (script: string, more = {}) => runToEnd(processLauncher, workdir.path, shell(script, more));

describe('a command as a plain process', () => {
  // commands-9
  it('is logged at the start', () => {
    expect(processLauncher.announcements.join()).toMatch(/nothing sandboxes them/);
  });
  it('runs in its directory and ends with its code', async () => {
    const { stdout, end } = await sh('echo x > note; ls; cat; exit 7');
    expect(stdout).toBe('note\n');
    expect(end).toMatchObject({ code: 7, signal: null, cause: null, fault: null });
  });
  it('ends with its signal', async () => {
    expect((await sh('kill -9 $$')).end).toMatchObject({ code: null, signal: 'SIGKILL' });
  });
  it('has its own variables and none of the gateway', async () => {
    process.env['CANARY_OF_THE_TEST'] = 'canary-5150';
    const { stdout } = await sh('env', { variables: new Map([['GREETING', 'bon jour']]) });
    expect(stdout).toContain('GREETING=bon jour\n');
    expect(stdout).toMatch(/^GATEWAY_COMMAND=\d+-test-/m);
    expect(stdout).not.toContain('canary-5150');
  });
  it('opens its outputs by name, as scripts do', async () => {
    const { stdout, stderr } = await sh('echo one >/dev/stderr; echo two | tee /dev/stderr; echo three >/dev/stdout');
    expect(stdout).toBe('two\nthree\n');
    expect(stderr).toBe('one\ntwo\n');
  });
  it('may close one output, or both, and continue', async () => {
    const { stdout, stderr, end } = await sh('echo out; exec >&-; echo err >&2; exec 2>&-; echo x > later; exit 4');
    expect([stdout, stderr, end.code]).toEqual(['out\n', 'err\n', 4]);
    expect((await sh('cat later')).stdout).toBe('x\n');
  });
  it('that does not exist is a fault', async () => {
    const { events, end } = await runToEnd(
      processLauncher,
      workdir.path,
      shell('', { interpreter: 'no-such-program' }),
    );
    expect(events.map(({ evenement }) => evenement)).toEqual(['demarre', 'erreur', 'fin']);
    expect(end.fault).toMatch(/^The command could not be started: .*no-such-program/);
  });
  it('is ended with its whole descendance: children, daemons, those that left its group', async () => {
    const marker = uniqueSleep();
    const script = `sleep ${marker} & (setsid sh -c 'sleep ${marker} & sleep ${marker}' &) ; (sleep ${marker} &); wait; sleep ${marker}`;
    const run = await begin(processLauncher, workdir.path, shell(script));
    await until(() => processesWith(`sleep\0${marker}`).length >= 4);
    run.run.stop('revoked');
    await gone(marker);
    expect((await collect(run)).end.cause).toBe('revoked');
  });
  it('has SIGTERM first, and its descendants too', async () => {
    const script =
      "trap 'echo outer; exit' TERM; (trap 'echo inner; exit' TERM; echo up; while :; do sleep 0.05; done) & wait; wait";
    const run = await begin(processLauncher, workdir.path, shell(script));
    await until(() => run.launched.stdout.bytes > 0);
    run.run.stop('interrupted');
    const { end } = await collect(run);
    expect(end).toMatchObject({ signal: null, cause: 'interrupted' });
  });
  it('takes nothing of itself along where it ends by itself', async () => {
    const marker = uniqueSleep();
    const script = `sleep ${marker} & (setsid sleep ${marker} &); until test -e seen; do sleep 0.05; done; echo done`;
    const run = await begin(processLauncher, workdir.path, shell(script));
    await until(() => processesWith(`sleep\0${marker}`).length === 2);
    writeFileSync(join(run.directory, 'seen'), '');
    expect((await collect(run)).stdout).toBe('done\n');
    await gone(marker);
  });
  it('ends only when nothing of it is left, not even what was just starting', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const marker = uniqueSleep();
      await sh(`for one in 1 2 3 4 5 6 7 8; do setsid sh -c 'sh -c "sleep ${marker}; true"; true' & done`);
      const left = processesWith(marker);
      signalAll(left, 'SIGKILL');
      expect(left).toEqual([]);
    }
  });
  it('ends although a process that hid itself keeps its outputs', async () => {
    const marker = uniqueSleep();
    const hidden = `(env -i setsid sh -c 'sleep ${marker} & exec sleep ${marker}' &); sleep 0.2`;
    const { end } = await runToEnd(processLauncher, workdir.path, shell(hidden), SMALL);
    expect(end.code).toBe(0);
    for (const pid of processesWith(marker)) process.kill(pid, 'SIGKILL');
  });
});
