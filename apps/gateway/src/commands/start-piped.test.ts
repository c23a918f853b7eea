import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PipeSupply, startPiped } from './pipes.ts';
import { makeWorkdir } from './testing/run.ts';

let folder: Awaited<ReturnType<typeof makeWorkdir>>;
let supply: PipeSupply;
beforeAll(async () => {
  folder = await makeWorkdir();
  supply = new PipeSupply(folder.path, 'mkfifo');
});
afterAll(async () => {
  await supply.close();
  await folder.remove();
});

const echo = (word: string) => (stdout: number, stderr: number) =>
  spawn('sh', ['-c', `echo ${word}; echo no >&2`], { stdio: ['ignore', stdout, stderr] });

async function said({ stdout, stderr, ended }: Awaited<ReturnType<typeof startPiped>>) {
  const text = { stdout: '', stderr: '' };
  for (const [name, output] of [['stdout', stdout] as const, ['stderr', stderr] as const]) {
    output.read(
      (piece) => {
        text[name] += piece.toString();
      },
      () => {},
    );
  }
  const end = await ended;
  return { ...text, ...end };
}

describe('a program whose outputs are pipes', () => {
  it('is read to its end', async () => {
    expect(await said(await startPiped(supply, null, echo('yes')))).toEqual({
      stdout: 'yes\n',
      stderr: 'no\n',
      code: 0,
      signal: null,
      failure: null,
    });
  });
  it('that is no program is reported with the cause', async () => {
    const none = await startPiped(supply, null, (stdout, stderr) =>
      spawn('/no/such', { stdio: ['ignore', stdout, stderr] }),
    );
    expect(await said(none)).toMatchObject({ stdout: '', code: null, failure: { code: 'ENOENT' } });
  });
  it('of a burst starts in its own turn of the event loop', async () => {
    let turn = 0;
    let counting = true;
    const count = () => {
      turn += 1;
      if (counting) setImmediate(count);
    };
    count();
    const turns: number[] = [];
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        startPiped(supply, null, (...outputs) => {
          turns.push(turn);
          return echo(String(index))(...outputs);
        }),
      ),
    );
    counting = false;
    expect(new Set(turns).size).toBe(6);
    const reported = await Promise.all(all.map(said));
    expect(reported.map(({ stdout }) => stdout.trim()).toSorted()).toEqual(['0', '1', '2', '3', '4', '5']);
  });
  it('that cannot be started does not keep others from starting', async () => {
    const failing = startPiped(supply, null, () => {
      throw new Error('E2BIG');
    });
    const next = startPiped(supply, null, echo('next'));
    await expect(failing).rejects.toThrow('E2BIG');
    expect(await said(await next)).toMatchObject({ stdout: 'next\n' });
  });
});
