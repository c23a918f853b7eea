import { access, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../process/environment.ts';
import { createBash, createBashOutput, createBashStop } from './bash.ts';
import { createLocalCommands, createLocalRunner, variablesOf } from './create-runner.ts';
import { testProject } from './testing/project.ts';

const commands = createLocalCommands(readEnvironment(), ['the-key-of-the-model']);
const bare = createLocalRunner(async () => null, { PATH: process.env.PATH ?? '' });
const missing = (path: string): Promise<boolean> =>
  access(path).then(
    () => false,
    () => true,
  );
const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('Bash looks at the project', () => {
  it.each([
    ['before and after a command that may change it', false, ['before', 'after']],
    ['not for a command that is known to only read', true, []],
  ])('%s', async (_, reads, looks) => {
    const t = await testProject();
    const seen: string[] = [];
    const snapshots = {
      ...t.context.snapshots,
      beforeCommand: async () => void seen.push('before'),
      afterCommand: async () => void seen.push('after'),
    };
    const bash = createBash(t.jobs, async () => bare);
    await t.run(bash, { command: 'true' }, { snapshots, readsOnly: async () => reads });
    expect(seen).toEqual(looks);
  });
});

describe.each([
  ['in the sandbox', commands.runner],
  ['without a sandbox', bare],
])('Bash %s', (_, runner) => {
  it('gives both outputs and the exit code, in the project, without a terminal', async () => {
    const t = await testProject();
    const bash = createBash(t.jobs, async () => runner);
    expect(await t.run(bash, { command: 'echo to-out; echo to-err >&2; exit 7' })).toMatchObject({
      outcome: 'failed',
      content: expect.stringMatching(/to-out[\s\S]*to-err|to-err[\s\S]*to-out/),
    });
    expect((await t.run(bash, { command: 'pwd; exit 7' })).content).toBe(`${t.project}\n[exit code 7]`);
    expect((await t.run(bash, { command: 'tty; cat; (: < /dev/tty) 2>/dev/null || echo none' })).content).toBe(
      'not a tty\nnone\n[exit code 0]',
    );
    expect((await t.run(bash, { command: 'true' })).content).toBe('(no output)\n[exit code 0]');
    expect(t.output.join('')).toContain('to-out');
  });
  it('cuts long output in the middle', async () => {
    const t = await testProject();
    const { content } = await t.run(
      createBash(t.jobs, async () => runner),
      { command: 'echo the-beginning; seq 1 400000; echo the-end' },
    );
    expect(content.length).toBeLessThan(31_000);
    expect(content).toMatch(/^the-beginning[\s\S]*\[\d+ characters were left out here[\s\S]*the-end\n\[exit code 0\]$/);
  });
  it('ends a command and all it started at its time limit, or where the turn is interrupted', async () => {
    const t = await testProject();
    const bash = createBash(t.jobs, async () => runner);
    const { outcome, content } = await t.run(bash, {
      command: 'echo before; sleep 60 & sleep 60',
      timeout_seconds: 0.3,
    });
    expect([outcome, content]).toEqual(['failed', 'before\n[ended after its time limit of 0.3 seconds]']);
    const controller = new AbortController();
    const running = t.run(
      bash,
      { command: 'echo started; sleep 60' },
      { signal: controller.signal, output: () => controller.abort(new Error('interrupted')) },
    );
    await expect(running).rejects.toThrow('interrupted');
  });
  it('keeps jobs running until they are stopped', async () => {
    const t = await testProject();
    const bash = createBash(t.jobs, async () => runner);
    expect((await t.run(bash, { command: 'echo from-the-job; sleep 60', background: true })).content).toMatch(
      /job 1\./,
    );
    await expect
      .poll(async () => (await t.run(createBashOutput(t.jobs), { job: '1' })).content)
      .toContain('from-the-job');
    expect((await t.run(createBashOutput(t.jobs), { job: 1 })).content).toBe('(no new output)\n[still running]');
    expect((await t.run(createBashStop(t.jobs), { job: 'job 1' })).content).toBe('Job 1 was stopped.');
    expect(t.jobs.list()).toMatchObject([{ id: '1', state: 'ended' }]);
    expect((await t.run(createBashStop(t.jobs), { job: '2' })).content).toBe('There is no job 2. The jobs are: 1.');
    await t.run(bash, { command: 'sleep 60', background: true });
    await t.jobs.stopAll();
    expect(t.jobs.list().every(({ state }) => state === 'ended')).toBe(true);
  });
});

it('what a command leaves in its group does not outlive it', async () => {
  const t = await testProject();
  const { content } = await t.run(
    createBash(t.jobs, async () => bare),
    { command: 'sleep 60 & echo $!' },
  );
  await expect.poll(() => runs(Number.parseInt(content, 10))).toBe(false);
});

it('a command gets no key', () => {
  const all = new Map([
    ['GATEWAY_KEY', 'x'],
    ['GATEWAY_LICENSE_FILE', '/x'],
    ['MINE', 'a the-key-of-the-model b'],
    ['PATH', '/bin'],
    ['GATEWAY_URL', 'https://x'],
  ]);
  const given = variablesOf(all, ['the-key-of-the-model', '']);
  expect(Object.keys(given).filter((name) => all.has(name))).toEqual(['PATH', 'GATEWAY_URL']);
});

describe.skipIf(!(await commands.hasSandbox()))('the sandbox', () => {
  it('lets a command in plan mode write nowhere', async () => {
    const t = await testProject({ 'a.txt': 'alpha\n' });
    const bash = createBash(t.jobs, async () => commands.runner);
    for (const command of [
      'touch pwned',
      'echo x > a.txt',
      'rm a.txt',
      'touch /tmp/pwned && cp /tmp/pwned .',
      'sed -i s/a/b/ a.txt',
    ]) {
      expect((await t.run(bash, { command }, { planMode: true })).outcome, command).toBe('failed');
    }
    expect([await t.read('a.txt'), await missing(t.at('pwned'))]).toEqual(['alpha\n', true]);
    expect((await t.run(bash, { command: 'cat a.txt' }, { planMode: true })).content).toBe('alpha\n[exit code 0]');
  });
  it('keeps the user’s .gateway from being changed, and the credentials from being read', async () => {
    const t = await testProject({ '.gateway/credentials.json': 'SECRET', '.gateway/record/x.jsonl': 'entry' });
    const own = createLocalCommands({ ...readEnvironment(), homeDirectory: t.project }, []);
    const bash = createBash(t.jobs, async () => own.runner);
    // The two outputs are two pipes: what comes first is not fixed, nor whether a line is whole.
    const content = (
      await t.run(bash, {
        command: 'cat .gateway/credentials.json .gateway/record/x.jsonl; echo; echo y > .gateway/record/x.jsonl',
      })
    ).content;
    expect(content).toMatch(/^entry/m);
    expect(content).toMatch(/[Rr]ead-only/);
    expect(await readFile(t.at('.gateway/credentials.json'), 'utf8')).toBe('SECRET');
  });
});
