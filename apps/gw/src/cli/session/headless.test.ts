import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSessionWorld, type SessionWorld, use } from '../../testing/session-world.ts';

let world: SessionWorld;
beforeEach(async () => {
  world = await openSessionWorld();
});
afterEach(() => world.end());

const inProject = (name: string): string => join(world.project, name);

describe('one prompt', () => {
  // client-2
  it('prints the answer and one line end', async () => {
    world.engine.play(['The **answer**.\n']);
    expect(await world.gw(['-p', 'hello'])).toEqual({ code: 0, out: 'The **answer**.\n', err: '' });
  });

  it('writes nothing to a terminal that steers it, and the exact text to a file', async () => {
    const answer = 'a title\u001b]0;owned\u0007 and \u001b[2Jmore';
    world.engine.play([answer, answer]);
    expect((await world.gw(['-p', 'hello'], { terminal: { output: true } })).out).toBe('a title and more\n');
    expect((await world.gw(['-p', 'hello'])).out).toBe(`${answer}\n`);
  });

  it('--silent counts for the answer in the envelope too', async () => {
    const { envelope } = await world.print(['<think>\nhm\n</think>\n\n\nAn   answer.'], ['--silent']);
    expect(envelope.answer).toBe('An answer.');
  });

  it('puts what is piped in before --prompt, the agent and the argument', async () => {
    world.write('work/shop/.gateway/agents/poet.md', '---\nname: poet\n---\nBody.\n');
    world.write('work/shop/ask.md', 'From a file.\n');
    await world.print([], ['--prompt', 'One.', '--prompt', 'ask.md', '--agent', 'poet'], 'Last.', {
      input: 'Piped.\n',
    });
    expect(world.engine.requests[0]?.body.messages.at(-1)).toEqual({
      role: 'user',
      content: 'Piped.\n\nOne.\n\nFrom a file.\n\nBody.\n\nLast.',
    });
  });

  it('needs a prompt', async () => {
    const { code, err } = await world.gw(['-p']);
    expect([code, err]).toEqual([
      2,
      'gw: -p needs a prompt: give it as an argument, with --prompt, or on standard input.\n',
    ]);
  });

  // client-5, client-16
  it('sends its session with every call and names it in the envelope', async () => {
    const { envelope } = await world.print([use('List', {}), 'End.']);
    const sent = world.engine.requests.map(({ headers }) => headers['x-gateway-session']);
    expect(sent).toEqual([envelope.session, envelope.session]);
    expect(envelope.session).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(world.engine.requests[0]?.headers.authorization).toBe('Bearer key-of-the-tests');
  });

  it('keeps reasoning apart from the answer', async () => {
    const { envelope } = await world.print([{ reasoning: 'I think.', text: 'I say.' }]);
    expect(envelope.answer).toBe('I say.');
  });

  it('takes an engine that does not stream, and one that counts no tokens', async () => {
    const { envelope } = await world.print([{ whole: true, text: 'Whole.', usage: null }]);
    expect(envelope).toMatchObject({ status: 'completed', answer: 'Whole.', usage: { inputTokens: 0, calls: 1 } });
  });

  it('adds up the usage of all calls', async () => {
    const { envelope } = await world.print([
      { ...use('List', {}), usage: { input: 100, output: 7 } },
      { text: 'End.', usage: { input: 150, output: 3 } },
    ]);
    expect(envelope.usage).toEqual({ inputTokens: 250, outputTokens: 10, calls: 2 });
  });

  it('leaves nothing in the project', async () => {
    await world.print([use('List', {}), 'End.']);
    expect(readdirSync(world.project)).toEqual([]);
  });
});

describe('what the model gets wrong', () => {
  it.each([
    ['arguments that are no JSON', { name: 'Read', raw: '{"file_path": "a' }, /arguments of Read are not valid JSON/],
    ['an unknown tool', { name: 'Teleport', args: {} }, /no tool named "Teleport"\. The tools are: Read, /],
    ['a missing argument', { name: 'Read', args: {} }, /file_path/],
  ])('%s is reported to it, and the turn continues', async (_, call, message) => {
    const { code, envelope } = await world.print([{ calls: [call] }, 'End.']);
    expect([code, envelope.answer]).toEqual([0, 'End.']);
    expect(world.engine.results()[0]).toMatch(message);
    expect(envelope.toolCalls[0]?.outcome).toBe('failed');
  });

  it('three times the same failing call ends the turn with a question', async () => {
    const call = use('Read', { file_path: 'absent.txt' });
    const { code, envelope } = await world.print([call, call, call, 'Never.']);
    expect(world.engine.requests).toHaveLength(3);
    expect([code, envelope.status]).toEqual([1, 'failed']);
    expect(envelope.answer).toMatch(/^I called Read three times .*\n\nHow should I continue\?$/s);
  });

  it('a failing call that succeeds in between does not', async () => {
    const call = use('Read', { file_path: 'later.txt' });
    const make = (): ReturnType<typeof use> => {
      writeFileSync(inProject('later.txt'), 'x');
      return call;
    };
    const { code } = await world.print([call, call, make, 'End.']);
    expect(code).toBe(0);
  });

  it('gives every call its own result, however they are interleaved', async () => {
    writeFileSync(inProject('a.txt'), 'CONTENT-A');
    const { envelope } = await world.print([
      {
        calls: [
          { name: 'Read', args: { file_path: 'a.txt' } },
          { name: 'Read', args: { file_path: 'b.txt' } },
          { name: 'List', args: {} },
        ],
      },
      'End.',
    ]);
    expect(envelope.toolCalls.map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed', 'succeeded']);
    expect(new Set(envelope.toolCalls.map(({ authorizedBy }) => authorizedBy))).toEqual(new Set(['automatic']));
    expect(world.engine.results()[0]).toContain('CONTENT-A');
  });
});

describe('permissions', () => {
  // client-9
  it('deny what nobody can approve: exit 3, named with the reason', async () => {
    const { code, envelope, err } = await world.print([
      use('Write', { file_path: 'new.txt', content: 'x' }),
      'I could not.',
    ]);
    expect([code, envelope.status, envelope.answer]).toEqual([3, 'denied', 'I could not.']);
    expect(envelope.denied).toEqual([
      { tool: 'Write', target: 'new.txt', reason: expect.stringContaining('--allow') as string },
    ]);
    expect(err).toContain('Write new.txt was denied');
    expect(existsSync(inProject('new.txt'))).toBe(false);
    expect(world.engine.results()[0]).toMatch(/^Denied: /);
  });

  it.each([
    [['--allow', 'Write'], 'policy'],
    [['--auto'], 'automatic'],
  ])('with %j let it write', async (options, authorizedBy) => {
    const { code, envelope } = await world.print(
      [use('Write', { file_path: 'new.txt', content: 'x' }), 'End.'],
      options,
    );
    expect([code, envelope.toolCalls]).toEqual([
      0,
      [{ tool: 'Write', target: 'new.txt', outcome: 'succeeded', authorizedBy }],
    ]);
    expect(readFileSync(inProject('new.txt'), 'utf8')).toBe('x');
  });

  it.each([
    [['--auto', '--exclude', 'Write']],
    [['--allow', 'Write', '--exclude', 'Write']],
    [['--readonly', '--allow', 'Write']],
  ])('with %j do not', async (options) => {
    const { code } = await world.print([use('Write', { file_path: 'new.txt', content: 'x' }), 'End.'], options);
    expect(code).toBe(3);
    expect(existsSync(inProject('new.txt'))).toBe(false);
  });

  it('refuse a rule that is none', async () => {
    const { code, err } = await world.gw(['-p', '--allow', 'Bash(git', 'Go.']);
    expect(code).toBe(2);
    expect(err).toMatch(/^gw: --allow "Bash\(git" is not a rule/);
  });

  it('deny a question that nobody can answer', async () => {
    const { code, envelope } = await world.print([use('AskQuestion', { question: 'Which?' }), 'End.']);
    expect([code, envelope.denied[0]?.tool]).toEqual([3, 'AskQuestion']);
  });
});

describe('faults', () => {
  it.each([400, 404, 413, 501])('%i is not tried again: exit 1 with the sentence', async (status) => {
    const { code, envelope } = await world.print([{ status, body: '{"error":"It fell over."}' }]);
    expect([code, world.engine.requests.length]).toEqual([1, 1]);
    expect(envelope).toMatchObject({ status: 'failed', error: { message: 'It fell over.', status } });
  });

  // client-15
  it.each([429, 502, 503, 504])('%i is tried again', async (status) => {
    const { code } = await world.print([{ status, headers: { 'retry-after': '0' } }, 'End.']);
    expect([code, world.engine.requests.length]).toEqual([0, 2]);
  });

  it('four more tries, then it fails', async () => {
    const { code, envelope } = await world.print(
      Array.from({ length: 9 }, () => ({ status: 503, headers: { 'retry-after': '0' } })),
    );
    expect([code, world.engine.requests.length, envelope.error?.status]).toEqual([1, 5, 503]);
  });

  it.each([401, 402, 403])('%i is a refusal: exit 4 in the words of the gateway', async (status) => {
    const { code, envelope, err } = await world.print([{ status, body: '{"error":"Plan limit reached"}' }]);
    expect([code, envelope.status, envelope.error]).toEqual([4, 'refused', { message: 'Plan limit reached', status }]);
    expect(err).toBe('gw: Plan limit reached\n');
  });

  it('an answer that breaks off is not asked for again, and its call does not run', async () => {
    const call = { calls: [{ name: 'Write', args: { file_path: 'pwned', content: 'x'.repeat(99) } }], breakAfter: 4 };
    const { code, envelope } = await world.print([call, 'Again.'], ['--auto']);
    expect([code, envelope.status, world.engine.requests.length]).toEqual([1, 'failed', 1]);
    expect(existsSync(inProject('pwned'))).toBe(false);
  });

  it('what was done before is in the envelope', async () => {
    const { envelope } = await world.print([use('List', {}), { status: 501 }]);
    expect(envelope.toolCalls.map(({ tool }) => tool)).toEqual(['List']);
  });

  it('a revoked session ends at once', async () => {
    const headers = { 'x-gateway-session-standing': 'revoked' };
    const { code } = await world.print([
      use('List', {}),
      { status: 403, headers, body: '{"error":"It was revoked."}' },
      'Never.',
    ]);
    expect([code, world.engine.requests.length]).toEqual([4, 2]);
  });

  it('an interruption keeps what was said and ends with 130', async () => {
    const stop = new AbortController();
    const { code, envelope } = await world.print(
      [
        () => {
          setImmediate(() => stop.abort());
          return { text: 'Partial words', hold: new Promise(() => undefined) };
        },
      ],
      [],
      'Go.',
      { interrupted: stop.signal },
    );
    expect([code, envelope.status]).toEqual([130, 'interrupted']);
  });

  it('an action is not done where its record cannot be written', async () => {
    world.write('home/casey/.gateway/record', 'a file where the folder should be');
    const { code } = await world.gw(['-p', '--auto', 'Go.']);
    expect(code).toBe(1);
    expect(world.engine.requests).toEqual([]);
  });
});
