import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Script } from '../../testing/scripted-engine.ts';
import { openSessionWorld, type SessionWorld, use } from '../../testing/session-world.ts';
import type { Ran } from '../../testing/world.ts';
import { runRemote } from './remote-run.ts';

let world: SessionWorld;
let serving: { readonly ended: Promise<Ran>; readonly stop: () => void } | null;
beforeEach(async () => {
  world = await openSessionWorld();
  serving = null;
});
afterEach(async () => {
  serving?.stop();
  await serving?.ended;
  await world.end();
});

/** Runs `gw serve` on a free port until somebody sends `POST /exit`, or its process is stopped. */
async function serve(
  script: Script,
  ...args: readonly string[]
): Promise<{ url: string; token: string; session: string; stop: () => void }> {
  world.engine.play(script);
  const { promise, resolve } = Promise.withResolvers<{ url: string; token: string; session: string }>();
  const stopped = new AbortController();
  const write = async (text: string): Promise<void> => resolve(JSON.parse(text));
  const stop = (): void => stopped.abort();
  const ended = world.gw(['serve', '--port', '0', ...args], { terminal: { write }, interrupted: stopped.signal });
  serving = { ended, stop };
  return { ...(await promise), stop };
}

/** Joins the session at an address in a terminal of its own. */
function join(url: string, prompt: string | null = null, variables: Readonly<Record<string, string>> = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let [shown, reported] = ['', ''];
  const context = world.context({
    variables,
    terminal: {
      input: true,
      output: true,
      write: async (text) => void (shown += text),
      report: (text) => void (reported += text),
    },
  });
  const ended = runRemote(context, { url, prompt }, { input, output });
  return {
    ended,
    type: (line: string) => void input.write(`${line}\n`),
    leave: () => void input.end(),
    async shows(pattern: RegExp) {
      await expect.poll(() => shown, { timeout: 20_000 }).toMatch(pattern);
    },
    async reports(pattern: RegExp) {
      await expect.poll(() => reported, { timeout: 20_000 }).toMatch(pattern);
    },
    shown: () => shown,
    reported: () => reported,
  };
}

describe('a session that is joined', () => {
  it('shows what happens there, and leaving does not end it', async () => {
    const { url, session } = await serve(['The answer.', 'Another answer.']);
    const person = join(url, 'The question');
    await person.shows(/The answer\.\n/);
    expect(person.shown()).toContain(`Joined ${url}, session ${session}.\nType a message.`);
    person.type('  ');
    person.type('And now?');
    await person.shows(/Another answer\./);
    person.type('/leave');
    expect(await person.ended).toBe(0);
    expect(world.engine.requests).toHaveLength(2);
    const later = join(url);
    await later.shows(/Joined .*: The question\./);
    later.leave();
    expect(await later.ended).toBe(0);
  });

  it('is seen by all who joined, and each may decide', async () => {
    const write = use('Write', { file_path: 'a.txt', content: 'x' });
    const { url } = await serve([write, 'Written.']);
    const [first, second] = [join(url), join(url)];
    await first.shows(/Type a message/);
    await second.shows(/Type a message/);
    first.type('write it');
    await first.shows(/Write a\.txt\n[\s\S]*Allow it\? y or n: /);
    await second.shows(/Allow it\? y or n: /);
    second.type('yes');
    await first.shows(/Write a\.txt was decided elsewhere: allow\n[\s\S]*Written\./);
    await second.shows(/Write a\.txt: succeeded\n[\s\S]*Written\./);
    expect(second.shown()).not.toContain('elsewhere');
    first.leave();
    second.leave();
    await Promise.all([first.ended, second.ended]);
  });

  it('asks who joins later for the permission that waits already', async () => {
    const { url } = await serve([use('Write', { file_path: 'a.txt', content: 'x' }), 'It was denied.'], 'write it');
    const early = join(url);
    await early.shows(/Allow it\?/);
    early.leave();
    expect(await early.ended).toBe(0);
    const person = join(url);
    await person.shows(/\nWrite a\.txt\n[^\n]+ Allow it\? y or n: $/);
    person.type('n');
    await person.shows(/Write a\.txt: denied\n[\s\S]*It was denied\./);
    person.leave();
    expect(await person.ended).toBe(0);
  });

  it('pauses the turn, and answers a question of the model in words', async () => {
    const { url } = await serve([use('AskQuestion', { question: 'Which?', options: ['red', 'blue'] }), 'Blue it is.']);
    const person = join(url, 'ask me');
    await person.shows(/Which\?\n- red\n- blue\n/);
    person.type('blue');
    await person.shows(/Blue it is\./);
    expect(world.engine.results()).toEqual(['blue']);
    world.engine.play([{ text: 'Endless', hold: new Promise(() => undefined) }]);
    person.type('go on');
    await person.shows(/Endless/);
    person.type('/pause');
    person.type('/leave');
    expect(await person.ended).toBe(0);
  });

  it('shows the control characters of another process by their names', async () => {
    const { url } = await serve(['\x1b]0;owned\x07 clear\x1b[2J \u202etxt']);
    const person = join(url, 'say it');
    await person.shows(/clear<U\+001B>\[2J <U\+202E>txt/);
    expect(person.shown()).not.toContain('\x1b');
    person.leave();
    expect(await person.ended).toBe(0);
  });

  it('that ends is over for those who joined: exit code 0', async () => {
    const { url, stop } = await serve([]);
    const person = join(url);
    await person.shows(/Type a message/);
    stop();
    expect(await person.ended).toBe(0);
    expect(person.reported()).toBe('gw: The session ended.\n');
  });

  it('shows the fault of a turn, and takes the next message', async () => {
    const { url } = await serve([{ status: 403, body: '{"error":{"message":"Not for you."}}' }, 'Better.']);
    const person = join(url, 'one');
    await person.shows(/Not for you\./);
    person.type('two');
    await person.shows(/Better\./);
    person.leave();
    expect(await person.ended).toBe(0);
  });
});

describe('gw remote', () => {
  it('is refused without a terminal, and names the routes for programs', async () => {
    const { code, err } = await world.gw(['remote', '--url', 'http://127.0.0.1:1']);
    expect([code, err]).toEqual([2, 'gw: gw remote needs a terminal. Programs use the routes of gw serve.\n']);
  });

  it.each([
    [[], /needs the address of an instance of gw serve/],
    [['--url', 'https://127.0.0.1:8000'], /--url must be the http address of an instance on this machine/],
    [['--url', 'http://gateway.example:8000'], /--url must be the http address of an instance on this machine/],
    [['--url', 'nonsense'], /--url must be .*not "nonsense"/],
    [['--id', 'x'], /--id needs a central service, and none is operated/],
    [['--start'], /--start needs a central service/],
    [['-s', '--repo', 'x'], /needs a central service/],
  ])('refuses %j with one line', async (args, message) => {
    const { code, err } = await world.gw(['remote', ...args], { terminal: { input: true, output: true } });
    expect([code, err.trimEnd().split('\n').length]).toEqual([2, 1]);
    expect(err).toMatch(message);
  });

  it('reports a message that could not be sent, and goes on', async () => {
    const { url, token } = await serve(['Answer.']);
    const person = join(url, null, { GATEWAY_SERVE_TOKEN: token });
    await person.shows(/Type a message/);
    person.type('x'.repeat(1_100_000));
    await person.reports(/answered 413: A body has at most 1048576 bytes\./);
    person.type('shorter');
    await person.shows(/Answer\./);
    person.leave();
    expect(await person.ended).toBe(0);
  });
});
