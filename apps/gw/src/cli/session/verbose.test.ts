import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSessionWorld, type SessionWorld, use } from '../../testing/session-world.ts';

let world: SessionWorld;
beforeEach(async () => {
  world = await openSessionWorld();
});
afterEach(() => world.end());

/** `gw -p` with a script, without the envelope. */
async function print(script: Parameters<SessionWorld['print']>[0], ...options: readonly string[]) {
  world.engine.play(script);
  return world.gw(['-p', ...options, 'Go.']);
}

describe('standard error of gw -p', () => {
  it('is empty where everything went well', async () => {
    world.write('work/shop/a.txt', 'one\n');
    const { code, out, err } = await print([use('Read', { file_path: 'a.txt' }), 'Done.']);
    expect([code, out, err]).toEqual([0, 'Done.\n', '']);
  });

  it('has each call and the tokens with --verbose; standard output is the same', async () => {
    world.write('work/shop/a.txt', 'one\n');
    const script = [use('Read', { file_path: 'a.txt' }), use('Read', { file_path: 'gone.txt' }), 'Done.'];
    const { code, out, err } = await print(script, '--verbose');
    expect([code, out]).toEqual([0, 'Done.\n']);
    expect(err.trimEnd().split('\n')).toEqual([
      'gw: 10 input and 5 output tokens in 1 call',
      'gw: Read a.txt: succeeded',
      'gw: 20 input and 10 output tokens in 2 calls',
      'gw: Read gone.txt: failed',
      'gw: 30 input and 15 output tokens in 3 calls',
    ]);
  });

  it('shows no secret of a call, and one line for a call of several', async () => {
    const secret = ['AKIA', 'Q3EGRSUVWXYZ2345'].join('');
    const command = `echo ${secret}\necho two \x1b[2J`;
    const { err } = await print([use('Bash', { command }), 'Done.'], '--verbose', '--allow', 'Bash');
    expect(err).not.toContain(secret);
    // oxlint-disable-next-line no-control-regex -- none may reach the terminal
    expect(err).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    expect(err.split('\n').every((line) => line === '' || line.startsWith('gw: '))).toBe(true);
  });

  it('names what was denied, also without --verbose', async () => {
    const { code, out, err } = await print([use('Bash', { command: 'touch a.txt' }), 'I could not.']);
    expect([code, out]).toEqual([3, 'I could not.\n']);
    expect(err).toMatch(/^gw: Bash touch a\.txt was denied: Bash needs an approval\. .*--allow\.\n$/);
  });

  it('has the reason of a failure, and standard output what was said before', async () => {
    const { code, out, err } = await print([{ text: 'I look.', calls: [{ name: 'List', args: {} }] }, { status: 400 }]);
    expect([code, out]).toEqual([1, 'I look.\n']);
    expect(err).toContain('The engine says no.');
  });
});
