import { describe, expect, it } from 'vitest';
import { call, modelOf, say, toolOf, world } from './testing/session.ts';
import type { Message, ModelEvent, Tool, ToolContext } from './types/index.ts';

const used = (input: number, output: number): ModelEvent => ({ type: 'usage', input, output });
const prices = { input: 2, output: 10 };

describe('what a session used', () => {
  it('adds up over turns, and a turn reports its own part', async () => {
    const { session, of } = world([
      [call('do'), used(100, 10)],
      [say('a'), used(200, 20)],
      [say('b'), used(400, 40)],
    ]);
    expect((await session.submit('One.')).usage).toEqual({ inputTokens: 300, outputTokens: 30, calls: 2 });
    expect((await session.submit('Two.')).usage).toEqual({ inputTokens: 400, outputTokens: 40, calls: 1 });
    expect(session.state.usage).toEqual({ inputTokens: 700, outputTokens: 70, calls: 3 });
    expect(of('usage').map(({ total, contextTokens }) => [total.inputTokens, contextTokens])).toEqual([
      [100, 110],
      [300, 220],
      [700, 440],
    ]);
  });

  it('counts a call that broke off, with the tokens that the engine named', async () => {
    const { session } = world([
      async function* broken() {
        yield say('half');
        yield used(50, 5);
        throw new Error('reset');
      },
    ]);
    expect((await session.submit('Go.')).usage).toEqual({ inputTokens: 50, outputTokens: 5, calls: 1 });
  });

  it('estimates how full the context is where the engine counts nothing', async () => {
    const { session } = world([[say('a')], [say('b'), used(0, 3)]]);
    await session.submit('x'.repeat(4000));
    expect(session.state.contextTokens).toBeGreaterThan(1000);
    expect(session.state.contextTokens).toBeLessThan(1100);
    await session.submit('y'.repeat(4000));
    expect(session.state.contextTokens).toBeGreaterThan(2000);
    expect(session.state.usage).toEqual({ inputTokens: 0, outputTokens: 3, calls: 2 });
  });

  it('does not count the text of an image as tokens', async () => {
    const { session } = world([[say('a')]]);
    await session.submit([{ type: 'image', url: `data:image/png;base64,${'A'.repeat(4_000_000)}` }]);
    expect(session.state.contextTokens).toBeLessThan(3000);
  });

  it('costs nothing known without prices, and what is known stays after a change to such a model', async () => {
    const { session } = world([[say('a'), used(1_000_000, 100_000)]], { model: { prices } });
    await session.submit('One.');
    expect(session.state.cost).toBe(3);
    session.setModel(modelOf([[say('b'), used(1_000_000, 0)]], [], { name: 'Free' }));
    await session.submit('Two.');
    expect([session.state.cost, session.state.model]).toEqual([3, 'Free']);
    expect((await world([[say('c'), used(1, 1)]]).session.submit('Go.')).status).toBe('completed');
  });
});

describe('a change of the model while a turn runs', () => {
  it('counts from the next call on', async () => {
    const other: (readonly Message[])[] = [];
    const { session, requests } = world([[call('do')]], {
      events: (event, running) => {
        if (event.type === 'tool-finished') running.setModel(modelOf([[say('Other.')]], other, { name: 'Other' }));
      },
    });
    expect(await session.submit('Go.')).toMatchObject({ answer: 'Other.' });
    expect([requests.length, other.length, session.model.name, session.state.model]).toEqual([1, 1, 'Other', 'Other']);
  });
});

describe('a title', () => {
  it('that the person gives is one line, is saved, and stays', async () => {
    const { session, saved } = world([]);
    await session.setTitle(`  Two\nlines ${'😀'.repeat(200)}`);
    const { title } = session.state;
    expect(title).toMatch(/^Two lines 😀+…$/u);
    expect(title.length).toBeLessThanOrEqual(200);
    expect(title.isWellFormed()).toBe(true);
    expect(saved.at(-1)?.title).toBe(title);
    await session.submit('Something else.');
    expect(session.state.title).toBe(title);
  });

  it('that is blank is made from the next message', async () => {
    const { session } = world([]);
    await session.setTitle(' \n\u2028 ');
    await session.submit('Fix the\ttests');
    expect(session.state.title).toBe('Fix the tests');
  });
});

describe('what a tool is given', () => {
  /** The context of one call, in a session with these changes. */
  async function contextOf(change: Parameters<typeof world>[1] = {}, act?: (context: ToolContext) => Promise<void>) {
    const contexts: ToolContext[] = [];
    const tool: Tool = toolOf('look', [], {
      async run(_, context) {
        contexts.push(context);
        await act?.(context);
        return { outcome: 'succeeded', content: 'done' };
      },
    });
    const opened = world([[call('look')]], {
      ...change,
      dependencies: { tools: async () => [tool], ...change.dependencies },
    });
    await opened.session.submit('Go.');
    const [context] = contexts;
    if (context === undefined) throw new Error('The tool did not run.');
    return { ...opened, context };
  }

  it('names the session, the project and the directory, and the parent only of a sub-agent', async () => {
    const { context, session } = await contextOf();
    expect(context).toMatchObject({ session: session.state.id, project: '/p', cwd: '/p', planMode: false });
    expect(context).not.toHaveProperty('parentSession');
    expect((await contextOf({ parentSession: 'above' })).context.parentSession).toBe('above');
    expect((await contextOf({ mode: 'plan' })).context.planMode).toBe(true);
  });

  it('can ask only where somebody can answer, and has no sub-agents where there are none', async () => {
    const { context } = await contextOf();
    expect(Object.keys(context)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:ask|runAgent)$/)]));
    const interactive = await contextOf({ dependencies: { interactive: true } });
    expect(Object.keys(interactive.context)).toContain('ask');
  });

  it('shows its output, its warnings, its status and its plan as they come', async () => {
    const { seen, session } = await contextOf({}, async (context) => {
      context.output('line 1\n');
      context.warn('The disk is nearly full.');
      context.setStatus('building');
      context.setChecklist([{ text: 'build', state: 'doing' }]);
    });
    expect(seen.slice(seen.findIndex(({ type }) => type === 'tool-proposed') + 1).slice(1, 5)).toEqual([
      { type: 'tool-output', id: 'look-__', chunk: 'line 1\n' },
      { type: 'notice', level: 'warning', text: 'The disk is nearly full.' },
      { type: 'status', text: 'building' },
      { type: 'checklist', items: [{ text: 'build', state: 'doing' }] },
    ]);
    expect(session.state.checklist).toEqual([{ text: 'build', state: 'doing' }]);
  });

  it.each([
    ['allow', 'Read', false],
    ['ask', 'Read', false],
    ['deny', 'Read(*.env)', true],
    ['ask', 'Read(*.env)', true],
  ] as const)('keeps a file from other tools where Read is %s by the rule %s: %s', async (decision, rule, kept) => {
    const judged: unknown[] = [];
    const answers: boolean[] = [];
    const judge = async (asked: { tool: string; target: { value: string } }) => {
      judged.push([asked.tool, asked.target.value]);
      const found = asked.tool === 'Read' ? decision : ('allow' as const);
      return { decision: found, rule, source: 'test', reason: 'So.', authorizedBy: 'policy' as const };
    };
    await contextOf({ dependencies: { permissions: { judge, remember: async () => null } } }, async (context) => {
      answers.push(await context.keepsFromReading('/p/.env'));
    });
    expect(judged.at(-1)).toEqual(['Read', '/p/.env']);
    expect(answers).toEqual([kept]);
  });
});
