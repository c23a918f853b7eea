import { describe, expect, it } from 'vitest';
import { messageText } from './state.ts';
import { call, type ModelAnswer, say, toolOf, unanswered, world } from './testing/session.ts';
import type { Message, ModelEvent } from './types/index.ts';
import { ContextExceeded, ModelFailed, ModelRefused } from './types/index.ts';

const used = (input: number, output: number): ModelEvent => ({ type: 'usage', input, output });
/** A conversation of several turns, each of about 250 tokens. */
const LONG: readonly Message[] = [1, 2, 3, 4].flatMap((at): Message[] => [
  { role: 'user', content: at === 1 ? 'THE-TASK' : `question ${at}` },
  { role: 'assistant', content: `answer ${at} ${'x'.repeat(1000)}` },
]);
const FULL = { messages: LONG, turns: 4, contextTokens: 950 } as const;
const LENGTH = { contextLength: 1000 } as const;
const contentsOf = (messages: readonly Message[] | undefined) => (messages ?? []).map(messageText);

/** A session whose context is full. */
const full = (answers: readonly ModelAnswer[], more: Parameters<typeof world>[1] = {}) =>
  world(answers, { model: LENGTH, ...more, state: { ...FULL, ...more.state } });

describe('a session whose context is full', () => {
  it('is summarized before the model is called, and keeps the task and the latest message', async () => {
    const { session, requests, of } = full([[say('THE-SUMMARY')]]);
    expect(await session.submit('Go on.')).toMatchObject({ status: 'completed', answer: 'Done.' });
    expect(requests).toHaveLength(2);
    expect(contentsOf(requests[0])).toEqual([expect.stringMatching(/^Summarize this part[\s\S]*question 2/)]);
    const [system, task, summary, ...latest] = contentsOf(requests[1]);
    expect([system, task, latest.at(-1)]).toEqual(['You are a test.', 'THE-TASK', 'Go on.']);
    expect(summary).toMatch(/^\[\d earlier messages were summarized to make room\.\]\n\nTHE-SUMMARY$/);
    expect(of('compacted')).toEqual([{ type: 'compacted', dropped: expect.any(Number), summary: 'THE-SUMMARY' }]);
  });

  it('does not show the words of the summary as an answer', async () => {
    const { session, of } = full([[{ type: 'reasoning', text: 'thinking' }, say('THE-SUMMARY')]]);
    await session.submit('Go on.');
    expect(of('text').map(({ text }) => text)).toEqual(['Done.']);
    expect(of('reasoning')).toEqual([]);
    expect(of('message-finished')).toHaveLength(1);
  });

  it('counts the summary in usage and cost, and knows how full it is afterwards', async () => {
    const prices = { input: 1_000_000, output: 2_000_000 };
    const { session } = full(
      [
        [say('S'), used(100, 10)],
        [say('A'), used(50, 5)],
      ],
      { model: { ...LENGTH, prices } },
    );
    const { usage } = await session.submit('Go on.');
    expect(usage).toEqual({ inputTokens: 150, outputTokens: 15, calls: 2 });
    expect([session.state.cost, session.state.contextTokens]).toEqual([180, 55]);
  });

  it.each<readonly [string, ModelAnswer]>([
    ['says nothing', []],
    ['says only blanks', [say(' \n')]],
    ['fails', new ModelFailed('The engine is gone.', 503)],
  ])('gets a summary without the model where that %s', async (_, answer) => {
    const { session, requests } = full([answer]);
    expect((await session.submit('Go on.')).status).toBe('completed');
    expect(contentsOf(requests[1])[2]).toContain('The user said: question 2');
  });

  it('ends the turn where the gateway refuses the summary, and loses nothing', async () => {
    const { session, requests } = full([new ModelRefused('No credit is left.', 402, false)]);
    expect(await session.submit('Go on.')).toMatchObject({
      status: 'refused',
      error: { message: 'No credit is left.', status: 402 },
    });
    expect(requests).toHaveLength(1);
    expect(session.state.messages).toEqual([...LONG, { role: 'user', content: 'Go on.' }]);
  });

  it('loses nothing where the person interrupts the summary', async () => {
    const { session } = full([
      async function* summary(signal) {
        yield say('Half a summary');
        session.interrupt();
        signal.throwIfAborted();
      },
    ]);
    expect((await session.submit('Go on.')).status).toBe('interrupted');
    expect(session.state.messages).toEqual([...LONG, { role: 'user', content: 'Go on.' }]);
  });

  it('is not summarized over and over where one message alone fills the context', async () => {
    const { session, requests } = world([[call('do')]], {
      model: LENGTH,
      state: { contextTokens: 5000, turns: 0, messages: [] },
    });
    expect((await session.submit('y'.repeat(20_000))).status).toBe('completed');
    expect(requests).toHaveLength(2);
  });

  it('is summarized before what the tools returned is sent, not after the engine has refused it', async () => {
    const tools = async () => [
      toolOf('do', [], { run: async () => ({ outcome: 'succeeded', content: 'r'.repeat(900) }) }),
    ];
    const { session, of, requests } = world([[say('a'), call('do'), used(700, 10)], [say('SUMMARY')]], {
      model: LENGTH,
      state: { messages: LONG, turns: 4, contextTokens: 600 },
      dependencies: { tools },
    });
    expect((await session.submit('Go on.')).status).toBe('completed');
    expect(of('compacted')).toHaveLength(1);
    expect(unanswered(requests.at(-1) ?? [])).toEqual([]);
  });

  it('gets long results of tools cut where they alone fill it, and they stay with their calls', async () => {
    const content = `BEGIN${'r'.repeat(30_000)}END`;
    const tools = async () => [toolOf('do', [], { run: async () => ({ outcome: 'succeeded', content }) })];
    const { session, of, requests, saved } = world([[call('do', { at: 1 }), call('do', { at: 2 }), used(90, 10)]], {
      model: LENGTH,
      dependencies: { tools },
    });
    expect((await session.submit('THE-TASK')).status).toBe('completed');
    const [, second = []] = requests;
    expect(unanswered(second)).toEqual([]);
    expect(JSON.stringify(second).length).toBeLessThan(4000 * 0.85);
    for (const result of second.slice(3))
      expect(messageText(result)).toMatch(
        /^BEGINr+\n\[… \d+ characters were left out: .*Ask for a smaller part\.\]\nr+END$/,
      );
    expect(of('notice')).toMatchObject([{ text: 'Long results of tools were cut to fit the context of the model.' }]);
    expect(saved.at(-1)?.messages).toEqual(session.state.messages);
  });

  it('is summarized between two calls of one turn, too, and every result stays with its call', async () => {
    const steps = Array.from(
      { length: 5 },
      (_, at): ModelAnswer => [say('z'.repeat(800)), call('do', { at }), used(at === 3 ? 990 : 100, 1)],
    );
    const { session, of, requests } = world([...steps.slice(0, 4), [say('SUMMARY')], ...steps.slice(4)], {
      model: LENGTH,
    });
    expect((await session.submit('THE-TASK')).status).toBe('completed');
    expect(of('compacted')).toHaveLength(1);
    expect(unanswered(session.state.messages)).toEqual([]);
    for (const request of requests) expect(unanswered(request)).toEqual([]);
    expect(contentsOf(session.state.messages)[0]).toBe('THE-TASK');
  });
});

describe('a conversation that the engine says is too long', () => {
  const refusal = (tokens: number | null) => new ContextExceeded('Too long.', 400, tokens);

  it.each([
    [300, 'Set contextLength: 300 for it'],
    [null, 'Set contextLength for it'],
  ])('is made shorter and sent again, where the model takes %j tokens', async (tokens, hint) => {
    const { session, requests, of } = world([refusal(tokens), [say('THE-SUMMARY')]], {
      state: { messages: LONG, turns: 4 },
    });
    expect(await session.submit('Go on.')).toMatchObject({ status: 'completed', answer: 'Done.' });
    expect(requests).toHaveLength(3);
    const [system, task, summary, ...latest] = contentsOf(requests[2]);
    expect([system, task, latest.at(-1)]).toEqual(['You are a test.', 'THE-TASK', 'Go on.']);
    expect(summary).toContain('THE-SUMMARY');
    expect(of('notice')).toMatchObject([{ level: 'warning', text: expect.stringContaining(hint) }]);
    expect(session.model.contextLength).toBeLessThanOrEqual(tokens ?? 1200);
  });

  it('ends the turn in the words of the engine where it cannot be made shorter', async () => {
    const { session, requests, of } = world([refusal(300)]);
    expect(await session.submit('y'.repeat(5000))).toMatchObject({ status: 'failed', error: { message: 'Too long.' } });
    expect([requests.length, of('notice')]).toMatchObject([1, [{ text: expect.stringContaining('was refused') }]]);
    expect(contentsOf(session.state.messages)).toEqual([expect.stringContaining('left out')]);
  });

  it('is sent again once only', async () => {
    const { session, requests } = world([refusal(300), [say('S')], refusal(300)], {
      state: { messages: LONG, turns: 4 },
    });
    expect(await session.submit('Go on.')).toMatchObject({ status: 'failed', error: { message: 'Too long.' } });
    expect(requests).toHaveLength(3);
  });

  it('is summarized without the model where it takes not even that', async () => {
    const { session, requests } = world([refusal(300), refusal(300)], { state: { messages: LONG, turns: 4 } });
    expect((await session.submit('Go on.')).status).toBe('completed');
    expect(contentsOf(requests[2])[2]).toContain('The user said: question 2');
  });
});

describe('a conversation of which turns were undone', () => {
  it('is not summarized for what it no longer contains', async () => {
    const { session, of } = world([[say('x'.repeat(3000)), used(100, 800)]], { model: LENGTH });
    await session.submit('THE-TASK');
    await session.rewind(1);
    expect(session.state.contextTokens).toBeLessThan(300);
    await session.submit('Go on.');
    expect(of('compacted')).toEqual([]);
  });
});

describe('a summary on request', () => {
  it('keeps the plan, masks secrets in both directions, and is saved', async () => {
    const { session, requests, saved } = world([[say('It used SECRET.')]], {
      model: LENGTH,
      state: {
        messages: [...LONG.slice(0, 2), { role: 'user', content: 'My SECRET.' }, ...LONG.slice(2)],
        turns: 5,
        checklist: [
          { text: 'first', state: 'done' },
          { text: 'second', state: 'open' },
        ],
      },
    });
    await session.compact();
    expect(JSON.stringify(requests)).not.toContain('SECRET');
    const [, summary] = contentsOf(session.state.messages);
    expect(summary).toContain('It used ***.\n\nThe plan:\n- [x] first\n- [ ] second');
    expect(saved.at(-1)).toEqual(session.state);
    expect(session.running).toBe(false);
  });

  it('of a short conversation calls no model, and says so', async () => {
    const { session, requests, of, saved } = world([]);
    await session.compact();
    expect([requests, saved]).toEqual([[], []]);
    expect(of('notice')).toMatchObject([{ text: 'There is nothing to summarize: the conversation is short.' }]);
  });

  it('is refused while a turn runs, and a turn while it runs', async () => {
    const { session } = full([[say('S')]]);
    const compacting = session.compact();
    await expect(session.submit('Go.')).rejects.toThrow('A turn is running already.');
    await compacting;
    const turn = session.submit('Go.');
    await expect(session.compact()).rejects.toThrow('A turn is running.');
    expect((await turn).status).toBe('completed');
  });

  it('that is refused leaves the conversation, and the session takes the next message', async () => {
    const { session } = full([new ModelRefused('No credit is left.', 402, false)]);
    await expect(session.compact()).rejects.toThrow('No credit is left.');
    expect([session.state.messages, session.running]).toEqual([LONG, false]);
    session.setModel({ ...session.model, contextLength: 100_000 });
    expect((await session.submit('Go on.')).status).toBe('completed');
  });

  it('can be interrupted', async () => {
    const { session } = full([
      async function* summary(signal) {
        yield say('Half');
        session.interrupt();
        signal.throwIfAborted();
      },
    ]);
    await expect(session.compact()).rejects.toThrow('interrupted');
    expect([session.state.messages, session.running]).toEqual([LONG, false]);
  });
});
