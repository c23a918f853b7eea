import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { commandLine, createLocalRunner } from './create-runner.ts';
import type { CommandRequest } from './jobs.ts';

const runner = createLocalRunner(async () => null, { PATH: process.env['PATH'] ?? '', MINE: 'yes' });
const request = (command: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
  command,
  session: 's',
  directory: temporaryFolder(),
  readOnly: false,
  ...more,
});

/** Runs a command to its end. */
async function run(command: string, more: Partial<CommandRequest> = {}) {
  let text = '';
  const running = await runner.start(request(command, more), (chunk) => {
    text += chunk;
  });
  const end = await running.ended;
  return { text, end };
}

/** Starts a command and waits for its first output. */
async function started(command: string) {
  const first = Promise.withResolvers<string>();
  const running = await runner.start(request(command), first.resolve);
  return { running, first: await first.promise };
}
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a command on this machine', () => {
  it.each([
    ['exit 0', { code: 0, signal: null }],
    ['exit 7', { code: 7, signal: null }],
    ['not-a-program-anywhere', { code: 127, signal: null }],
    ['kill -KILL $$', { code: null, signal: 'SIGKILL' }],
    ['kill -TERM $$', { code: null, signal: 'SIGTERM' }],
    ['if true; then', { code: 2, signal: null }],
  ])('%s ends as it ended', async (command, end) => {
    expect((await run(command)).end).toEqual(end);
  });

  it('has only the variables that it is given', async () => {
    const names = (await run('env')).text.split('\n').map((line) => line.split('=', 1).join());
    expect(names.filter((name) => !/^(?:PWD|SHLVL|_|OLDPWD|)$/.test(name)).toSorted()).toEqual(['MINE', 'PATH']);
  });

  it('has no input to wait for', async () => {
    expect(await run('cat; read line || echo no input')).toEqual({
      text: 'no input\n',
      end: { code: 0, signal: null },
    });
  });

  it('that cannot be started says why', async () => {
    const { end } = await run('true', { directory: '/nonexistent/folder' });
    expect(end).toMatchObject({ code: null, fault: expect.stringMatching(/^The command cannot be started: .*ENOENT/) });
  });

  it('gives characters whole that arrive in two pieces, and shows what is no character', async () => {
    const { text } = await run(String.raw`printf '\342\202'; sleep 0.05; printf '\254 \360\237\230\200 \377'`);
    expect(text).toBe('€ 😀 \ufffd');
  });

  it('that ends within a character shows that something was there', async () => {
    expect((await run(String.raw`printf 'cut \342\202'`)).text).toBe('cut \ufffd');
  });

  it('ends though something that it left running holds its output', async () => {
    const { text, end } = await run('sleep 60 & echo "$!"');
    expect(end).toEqual({ code: 0, signal: null });
    await expect.poll(() => isAlive(Number.parseInt(text, 10))).toBe(false);
  });
});

describe('a command that is stopped', () => {
  it('ends with all that it started, though these ignore the request', async () => {
    const { running, first } = await started(`trap '' TERM; sh -c "trap '' TERM; sleep 60" & echo $!; wait`);
    await running.stop();
    expect(await running.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await expect.poll(() => isAlive(Number.parseInt(first, 10))).toBe(false);
  });

  it('may still tidy up', async () => {
    let text = '';
    const ready = Promise.withResolvers<void>();
    const running = await runner.start(
      request(`trap 'echo tidied; exit 3' TERM; echo ready; sleep 60 & wait`),
      (chunk) => {
        text += chunk;
        ready.resolve();
      },
    );
    await ready.promise;
    await running.stop();
    expect(await running.ended).toEqual({ code: 3, signal: null });
    expect(text).toBe('ready\ntidied\n');
  });

  it('twice, or behind its end, ends once', async () => {
    const { running } = await started('echo ready; sleep 60');
    await Promise.all([running.stop(), running.stop()]);
    await running.stop();
    expect(await running.ended).toMatchObject({ signal: 'SIGTERM' });
  });
});

it('the line of a command is that of the shell, behind the sandbox where there is one', () => {
  const asked = request('echo "a b"', { readOnly: true });
  const [, ...plain] = commandLine(null, asked);
  expect(plain).toEqual(['-c', 'echo "a b"']);
  const seen: unknown[] = [];
  const wrap = (of: unknown): [string, ...string[]] => {
    seen.push(of);
    return ['wrapper', '--'];
  };
  expect(commandLine({ wrap }, asked).slice(0, 2)).toEqual(['wrapper', '--']);
  expect(commandLine({ wrap }, asked).slice(-2)).toEqual(['-c', 'echo "a b"']);
  expect(seen[0]).toMatchObject({ directory: asked.directory, readOnly: true });
});
