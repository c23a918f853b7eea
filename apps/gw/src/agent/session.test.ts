import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_ORGANIZATION } from '../organization/open.ts';
import {
  call,
  type ModelAnswer,
  recordOf,
  say,
  toolOf,
  unanswered,
  type WorldChange,
  world,
} from './testing/session.ts';
import { type ActDetails, type AgentSession, ModelFailed, ModelRefused, type Tool } from './types/index.ts';

describe('a call of the model', () => {
  it('is recorded before it is run, and its result goes back without secrets', async () => {
    const { session, did, requests } = world([[call('do', { key: 'SECRET' }, 'c1')]]);
    const { status, toolCalls } = await session.submit('Use SECRET.');
    expect([status, toolCalls.map(({ tool, outcome }) => [tool, outcome])]).toEqual([
      'completed',
      [['do', 'succeeded']],
    ]);
    expect(did).toEqual(['prompt', 'proposed-action do', 'file-modified do', 'run do']);
    expect(JSON.stringify(requests.at(-1))).not.toContain('SECRET');
    expect(requests.at(-1)?.at(-1)).toMatchObject({ role: 'tool', content: 'did do with ***' });
  });

  it.each(['proposed-action', 'file-modified'])('is not run where its %s cannot be recorded', async (kind) => {
    const did: string[] = [];
    const record = recordOf((entry) => {
      if (entry.kind === kind) throw new Error('The disk is full.');
    });
    const { session } = world([[call('do')]], {
      dependencies: { record, tools: async () => [toolOf('do', did)] },
    });
    expect(await session.submit('Go.')).toMatchObject({ status: 'failed', error: { message: 'The disk is full.' } });
    expect(did).toEqual([]);
    expect(unanswered(session.state.messages)).toEqual([]);
  });

  it.each([
    ['that no tool has', call('other'), /There is no tool named "other"\. The tools are: do, fail, throw\./],
    [
      'whose arguments are no JSON',
      call('do', '{"a":'),
      /The arguments of do are not valid JSON .*Send one JSON object\./,
    ],
    ['whose arguments do not fit', call('do', '1'), /no JSON object\. Send one JSON object\.$/],
    ['that throws', call('throw'), /^It broke\.$/],
  ])('%s is explained to the model, which goes on', async (_, asked, content) => {
    const { session, requests } = world([[asked]]);
    expect((await session.submit('Go.')).status).toBe('completed');
    expect(requests.at(-1)?.at(-1)).toMatchObject({ role: 'tool', content: expect.stringMatching(content) });
  });

  it('that would need an approval is denied where nobody can give it', async () => {
    const { session, did, requests } = world([[call('do')]], { decide: () => 'ask' });
    expect((await session.submit('Go.')).toolCalls).toMatchObject([{ tool: 'do', outcome: 'denied' }]);
    expect(did).not.toContain('run do');
    expect(requests.at(-1)?.at(-1)).toMatchObject({
      content: expect.stringMatching(/^Denied: .*allow it with --allow\./),
    });
  });

  it('runs with the arguments that a person changed, unless these are excluded', async () => {
    for (const decision of ['allow', 'deny'] as const) {
      let judged = 0;
      const { session, did } = world([[call('do', { a: 1 })]], {
        decide: () => ((judged += 1) <= 2 ? 'ask' : decision),
        dependencies: { interactive: true },
        events: (event) => {
          if (event.type === 'permission-requested')
            session.decide(event.id, { decision: 'allow', arguments: '{"a":2}' });
        },
      });
      const { toolCalls } = await session.submit('Go.');
      expect(toolCalls).toMatchObject([{ target: '{"a":2}', outcome: decision === 'allow' ? 'succeeded' : 'denied' }]);
      expect(did.includes('run do')).toBe(decision === 'allow');
    }
  });

  it('that fails three times in the same way ends the turn with a question', async () => {
    const again = [call('fail'), call('do')];
    const { session, did } = world([again, again, again, again]);
    const outcome = await session.submit('Go.');
    expect(outcome).toMatchObject({ status: 'failed', error: { cause: 'repeated-call' } });
    expect(outcome.answer).toMatch(/three times with the same arguments.*How should I continue\?$/s);
    expect(did.filter((what) => what === 'run fail')).toHaveLength(3);
    expect(unanswered(session.state.messages)).toEqual([]);
  });
});

describe('a turn', () => {
  it('that a person stops runs none of the calls that are left', async () => {
    const { session, did } = world([[call('do', { a: 1 }), call('do', { a: 2 })]], {
      decide: () => 'ask',
      dependencies: { interactive: true },
      events: (event) => {
        if (event.type === 'permission-requested') session.decide(event.id, { decision: 'deny', stop: true });
      },
    });
    expect((await session.submit('Go.')).status).toBe('interrupted');
    expect(did).not.toContain('run do');
    expect(unanswered(session.state.messages)).toEqual([]);
  });

  it('that is interrupted while an approval waits ends, and takes another message', async () => {
    const { session } = world([[call('do', { a: 1 }), call('do', { a: 2 })]], {
      decide: () => 'ask',
      dependencies: { interactive: true },
      events: (event) => {
        if (event.type === 'permission-requested') session.interrupt();
      },
    });
    expect((await session.submit('Go.')).status).toBe('interrupted');
    expect(unanswered(session.state.messages)).toEqual([]);
    expect(await session.submit('Again.')).toMatchObject({ status: 'completed', answer: 'Done.' });
  });

  it.each([
    [new ModelRefused('The session was revoked.', 403, true), 'refused', { status: 403, revoked: true }],
    [new ModelFailed('The engine is gone.', 503), 'failed', { status: 503, revoked: false }],
  ])('that ends with %s keeps the message of the user', async (error, status, detail) => {
    const { session } = world([error]);
    expect(await session.submit('Go.')).toMatchObject({ status, error: { message: error.message, ...detail } });
    expect(session.state.messages).toEqual([{ role: 'user', content: 'Go.' }]);
    expect(session.state.turns).toBe(1);
  });

  it('ends after the most calls of the model', async () => {
    const { session, requests } = world(Array.from({ length: 20 }, (_, a) => [call('do', { a })]));
    expect(await session.submit('Go.')).toMatchObject({ status: 'failed', error: { cause: 'limit' } });
    expect(requests).toHaveLength(8);
    expect(unanswered(session.state.messages)).toEqual([]);
  });

  it('refuses a second message while it runs', async () => {
    const { session } = world([]);
    const first = session.submit('One.');
    await expect(session.submit('Two.')).rejects.toThrow('A turn is running already.');
    expect((await first).status).toBe('completed');
  });
});

it('every call has one result behind it, whatever the model asks and the person decides', async () => {
  const asked = fc.record({ name: fc.constantFrom('do', 'fail', 'throw', 'other'), a: fc.nat(2) });
  const answer = fc.oneof(
    { weight: 5, arbitrary: fc.array(asked, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant(new ModelFailed('gone', 502)) },
  );
  const choice = fc.constantFrom('allow', 'deny', 'stop', 'interrupt', 'edit');
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { maxLength: 6 }),
      fc.array(choice, { minLength: 1 }),
      async (script, choices) => {
        let [ids, at] = [0, 0];
        const answers = script.map((one) =>
          one instanceof Error ? one : [say('x'), ...one.map(({ name, a }) => call(name, { a }, `${(ids += 1)}`))],
        );
        const { session, saved } = world(answers, {
          decide: () => 'ask',
          dependencies: { interactive: true },
          events: (event) => {
            if (event.type !== 'permission-requested') return;
            const chosen = choices[(at += 1) % choices.length];
            if (chosen === 'interrupt') session.interrupt();
            else if (chosen === 'edit') session.decide(event.id, { decision: 'allow', arguments: 'no JSON' });
            else session.decide(event.id, { decision: chosen === 'allow' ? 'allow' : 'deny', stop: chosen === 'stop' });
          },
        });
        const outcome = await session.submit('Go.');
        expect(unanswered(session.state.messages)).toEqual([]);
        expect(saved.at(-1)?.messages).toEqual(session.state.messages);
        expect(outcome.error === null).toBe(outcome.status === 'completed');
        expect(session.running).toBe(false);
      },
    ),
    { numRuns: 150 },
  );
});

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
