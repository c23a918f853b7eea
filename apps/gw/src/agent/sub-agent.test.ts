import { describe, expect, it } from 'vitest';
import { NO_ORGANIZATION } from '../organization/open.ts';
import { call, type ModelAnswer, say, toolOf, type WorldChange, world } from './testing/session.ts';
import type { ActDetails, AgentSession, Tool } from './types.ts';
import { ModelFailed } from './types.ts';

/** The tool that starts a sub-agent with its arguments. */
const AGENT: Tool = toolOf('Agent', [], {
  effect: 'none',
  async run(args, context) {
    const ran = await context.runAgent?.({ ...(args as { prompt: string }), call: context.call });
    return ran ?? { outcome: 'failed', content: 'There are no sub-agents here.' };
  },
});

/** A session that starts one sub-agent, whose model gives these answers. */
function family(answers: readonly ModelAnswer[], child: WorldChange = {}, parent: WorldChange = {}) {
  const children: ReturnType<typeof world>[] = [];
  const names: (string | null)[] = [];
  const closed: string[] = [];
  const opened = world([[call('Agent', { prompt: 'Look.', agent: 'reviewer' })]], {
    ...parent,
    dependencies: {
      tools: async () => [AGENT],
      async createChild(name) {
        names.push(name);
        const made = world(answers, {
          parentSession: 'the-parent',
          ...child,
          dependencies: { close: async () => void closed.push('child'), ...child.dependencies },
        });
        children.push(made);
        return made.session;
      },
      ...parent.dependencies,
    },
  });
  return { ...opened, children, names, closed };
}
const ask: WorldChange = { decide: () => 'ask', dependencies: { interactive: true } };

describe('a sub-agent', () => {
  it('gets the prompt, and its last words are the result', async () => {
    const { session, children, names, requests, closed } = family([[say('It is fine.')]]);
    expect(await session.submit('Go.')).toMatchObject({ status: 'completed', answer: 'Done.' });
    expect(names).toEqual(['reviewer']);
    expect(children[0]?.session.state.messages[0]).toEqual({ role: 'user', content: 'Look.' });
    expect(requests.at(-1)?.at(-1)).toMatchObject({ role: 'tool', content: 'It is fine.' });
    expect(closed).toEqual(['child']);
  });

  it('keeps its words, usage and turns from the person, and shows its calls and notices', async () => {
    const { session, seen } = family([[say('inner words'), call('do')], [say('inner answer')]]);
    await session.submit('Go.');
    const types = seen.map(({ type }) => type);
    expect(types.filter((type) => type === 'turn-started' || type === 'turn-ended')).toHaveLength(2);
    expect(seen.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual(['Done.']);
    const tools = seen.flatMap((event) => (event.type === 'tool-finished' ? [event.tool] : []));
    expect(tools).toEqual(['do', 'Agent']);
    expect(types).toContain('notice');
  });

  it('adds its calls, tokens and cost to those of the turn', async () => {
    const usage = { type: 'usage', input: 100, output: 10 } as const;
    const prices = { input: 10_000, output: 10_000 };
    const { session } = family(
      [
        [call('do'), usage],
        [say('x'), usage],
      ],
      { model: { prices } },
    );
    const outcome = await session.submit('Go.');
    expect(outcome.usage).toEqual({ inputTokens: 200, outputTokens: 20, calls: 4 });
    expect(outcome.toolCalls.map(({ tool }) => tool)).toEqual(['do', 'Agent']);
    expect(session.state.cost).toBeCloseTo(2.2);
    expect((await session.submit('Again.')).usage).toEqual({ inputTokens: 0, outputTokens: 0, calls: 1 });
  });

  it('asks the person through its parent, which says who asks', async () => {
    const decided: string[] = [];
    const { session, children, of } = family([[call('do')]], ask, {
      events: (event, running) => {
        if (event.type !== 'permission-requested') return;
        decided.push(`${event.subAgent} ${running.decide(event.id, { decision: 'allow' })}`);
      },
    });
    const { toolCalls } = await session.submit('Go.');
    expect(decided).toEqual([`${children[0]?.session.state.id} true`]);
    expect(toolCalls).toMatchObject([{ tool: 'do', outcome: 'succeeded' }, { tool: 'Agent' }]);
    expect(of('permission-decided')).toMatchObject([{ tool: 'do', decision: 'allow' }]);
  });

  it('gets the answer to its question', async () => {
    const answered: boolean[] = [];
    const asking = toolOf('AskQuestion', [], {
      async run(_, context) {
        return { outcome: 'succeeded', content: (await context.ask?.({ question: 'Which?', options: [] })) ?? 'none' };
      },
    });
    const { session, children } = family(
      [[call('AskQuestion')]],
      { dependencies: { interactive: true, tools: async () => [asking] } },
      {
        events: (event, running) => {
          if (event.type === 'question') answered.push(running.answer(event.id, 'the left one'));
        },
      },
    );
    await session.submit('Go.');
    expect(children[0]?.requests.at(-1)?.at(-1)).toMatchObject({ content: 'the left one' });
    expect(answered).toEqual([true]);
  });

  it('follows the mode of its parent, at its start and while it runs', async () => {
    const modes: string[] = [];
    const note = (running: AgentSession | undefined): void => void modes.push(`${running?.mode}`);
    const { session, children } = family([[call('do')]], ask, {
      mode: 'plan',
      events: (event, running) => {
        if (event.type !== 'permission-requested') return;
        note(children[0]?.session);
        running.setMode('auto');
        note(children[0]?.session);
        running.decide(event.id, { decision: 'deny' });
      },
    });
    await session.submit('Go.');
    expect(modes).toEqual(['plan', 'auto']);
  });

  it('is interrupted with its parent, and closed', async () => {
    const { session, children, closed } = family([[call('do')]], ask, {
      events: (event, running) => {
        if (event.type === 'permission-requested') running.interrupt();
      },
    });
    expect(await session.submit('Go.')).toMatchObject({ status: 'interrupted' });
    expect(children[0]?.session.running).toBe(false);
    expect(closed).toEqual(['child']);
    expect(session.state.messages.at(-1)).toMatchObject({ role: 'tool', content: 'The call was interrupted.' });
  });

  it.each<readonly [string, readonly ModelAnswer[], string]>([
    ['says nothing', [[]], expect.stringMatching(/^The sub-agent did not finish: .*without text/)],
    ['fails', [new ModelFailed('The engine is gone.', 503)], 'The sub-agent did not finish: The engine is gone.'],
    [
      'fails behind some words',
      [[say('I looked at it.'), call('do')], new ModelFailed('The engine is gone.', 503)],
      'The sub-agent did not finish: The engine is gone.\nIts last words: I looked at it.',
    ],
  ])('that %s is explained to the parent, which goes on', async (_, answers, content) => {
    const { session, requests, closed } = family(answers);
    expect(await session.submit('Go.')).toMatchObject({ status: 'completed', answer: 'Done.' });
    expect(requests.at(-1)?.at(-1)).toMatchObject({ role: 'tool', content });
    expect(closed).toEqual(['child']);
  });

  it('that does not exist fails its call alone', async () => {
    const createChild = async (): Promise<never> => {
      throw new Error('There is no agent named "reviewer".');
    };
    const { session, of } = family([], {}, { dependencies: { tools: async () => [AGENT], createChild } });
    expect((await session.submit('Go.')).status).toBe('completed');
    expect(of('tool-finished')).toMatchObject([{ outcome: 'failed', content: 'There is no agent named "reviewer".' }]);
  });

  it('names its parent in its acts, and starts no sub-agent itself', async () => {
    const acts: ActDetails[] = [];
    const organization = { ...NO_ORGANIZATION, act: (act: ActDetails) => void acts.push(act) };
    const { session, children } = family([[call('Agent', { prompt: 'Deeper.' })]], {
      dependencies: { organization, tools: async () => [AGENT] },
    });
    await session.submit('Go.');
    expect(acts).toMatchObject([
      { session: children[0]?.session.state.id, parentSession: 'the-parent', tool: 'Agent', outcome: 'failed' },
    ]);
    expect(children[0]?.requests.at(-1)?.at(-1)).toMatchObject({ content: 'There are no sub-agents here.' });
  });
});
