import { describe, expect, it } from 'vitest';
import type { AgentDependencies } from './dependencies.ts';
import { call, recordOf, toolOf, world } from './testing/session.ts';
import type { AgentSession, Approval, PermissionCall, PermissionDecision, Tool } from './types/index.ts';
import { ToolFailed } from './types/index.ts';

/** A session that asks before each call and gets this approval; what was recorded and remembered. */
function asking(
  approval: Approval | ((session: AgentSession, id: string) => void),
  more: {
    readonly tool?: Partial<Tool>;
    readonly notice?: string;
    readonly dependencies?: Partial<AgentDependencies>;
  } = {},
) {
  const did: string[] = [];
  const entries: unknown[] = [];
  const remembered: unknown[] = [];
  const judged: PermissionCall[] = [];
  const ask: PermissionDecision = {
    decision: 'ask',
    rule: 'do',
    source: 'default',
    reason: 'do needs an approval.',
    authorizedBy: 'human',
  };
  const run: Tool['run'] = async () => {
    did.push('run do');
    return { outcome: 'succeeded', content: 'done' };
  };
  const opened = world([[call('do', { a: 1 })]], {
    dependencies: {
      interactive: true,
      tools: async () => [toolOf('do', did, { run, ...more.tool })],
      record: recordOf((entry) => void entries.push(entry)),
      permissions: {
        judge: async (asked) => {
          judged.push(asked);
          return ask;
        },
        remember: async (asked, scope) => {
          remembered.push([asked.args, scope]);
          return more.notice ?? null;
        },
      },
      ...more.dependencies,
    },
    events: (event, session) => {
      if (event.type !== 'permission-requested') return;
      if (typeof approval === 'function') approval(session, event.id);
      else session.decide(event.id, approval);
    },
  });
  return { ...opened, did, entries, remembered, judged };
}

describe('a call that a person approves', () => {
  it('is shown with what it would do, and why it is asked', async () => {
    const { session, of } = asking(
      { decision: 'allow' },
      { tool: { preview: async () => ({ kind: 'diff', path: 'a.ts', before: null, after: 'x\n' }) } },
    );
    await session.submit('Go.');
    expect(of('permission-requested')).toEqual([
      {
        type: 'permission-requested',
        id: expect.any(String),
        call: 'do-__a__1_',
        tool: 'do',
        target: { kind: 'path', value: '{"a":1}' },
        arguments: '{"a":1}',
        preview: { kind: 'diff', path: 'a.ts', before: null, after: 'x\n' },
        reason: 'do needs an approval.',
        offers: [],
      },
    ]);
    expect(of('permission-decided')).toMatchObject([{ decision: 'allow', authorizedBy: 'human', target: '{"a":1}' }]);
  });

  it('has the proposal, the decision and then the action in the record', async () => {
    const { session, entries, did } = asking({ decision: 'allow' });
    expect((await session.submit('Go.')).toolCalls).toEqual([
      { tool: 'do', target: '{"a":1}', outcome: 'succeeded', authorizedBy: 'human' },
    ]);
    expect(entries).toEqual([
      { kind: 'prompt', text: 'Go.' },
      { kind: 'proposed-action', tool: 'do', target: '{"a":1}', decision: 'ask', rule: 'do', source: 'default' },
      { kind: 'human-decision', tool: 'do', target: '{"a":1}', decision: 'allow' },
      { kind: 'file-modified', tool: 'do', target: '{"a":1}' },
    ]);
    expect(did).toEqual(['run do']);
  });

  it.each(['session', 'project'] as const)('for the %s is remembered, and the record says so', async (remember) => {
    const { session, entries, remembered, of } = asking({ decision: 'allow', remember });
    await session.submit('Go.');
    expect(remembered).toEqual([[{ a: 1 }, remember]]);
    expect(entries).toContainEqual(expect.objectContaining({ kind: 'human-decision', remembered: remember }));
    expect(of('notice')).toEqual([]);
  });

  it('says where an approval counts less long than the person wanted', async () => {
    const { session, of } = asking({ decision: 'allow', remember: 'project' }, { notice: 'It counts once.' });
    await session.submit('Go.');
    expect(of('notice')).toEqual([{ type: 'notice', level: 'warning', text: 'It counts once.' }]);
  });

  it('and changes is judged, recorded, remembered and run with the new arguments alone', async () => {
    const ran: unknown[] = [];
    const { session, judged, remembered, entries, of } = asking(
      { decision: 'allow', arguments: '{"a":2}', remember: 'session' },
      {
        tool: {
          async run(args) {
            ran.push(args);
            return { outcome: 'succeeded', content: 'done' };
          },
        },
      },
    );
    await session.submit('Go.');
    expect(judged.map(({ args }) => args)).toEqual([{ a: 1 }, { a: 2 }]);
    expect([ran, remembered]).toEqual([[{ a: 2 }], [[{ a: 2 }, 'session']]]);
    expect(entries.slice(-2)).toMatchObject([{ target: '{"a":2}' }, { kind: 'file-modified', target: '{"a":2}' }]);
    expect(of('tool-finished')).toMatchObject([{ target: '{"a":2}', outcome: 'succeeded' }]);
  });

  it.each([
    ['{"a":', /^The arguments of do are not valid JSON/],
    ['"text"', /^The arguments of do are not valid JSON/],
  ])('with the arguments %s does not run, is not remembered, and the model learns why', async (changed, content) => {
    const { session, did, remembered, of } = asking({ decision: 'allow', arguments: changed, remember: 'project' });
    expect((await session.submit('Go.')).toolCalls).toMatchObject([{ outcome: 'failed' }]);
    expect([did, remembered]).toEqual([[], []]);
    expect(of('tool-finished')).toMatchObject([{ outcome: 'failed', content: expect.stringMatching(content) }]);
  });

  it('does not run where the decision cannot be recorded', async () => {
    const record = recordOf(({ kind }) => {
      if (kind === 'human-decision') throw new Error('The disk is full.');
    });
    const { session, did } = asking({ decision: 'allow' }, { dependencies: { record } });
    expect(await session.submit('Go.')).toMatchObject({ status: 'failed', error: { message: 'The disk is full.' } });
    expect(did).toEqual([]);
  });
});

describe('a call that a person refuses', () => {
  it.each([
    [undefined, 'Denied: The user denied it. The call was not run.'],
    ['Use the other file.', 'Denied: Use the other file. The call was not run.'],
  ])('with the reason %j is not run, and the turn goes on', async (reason, content) => {
    const { session, did, requests, entries, remembered } = asking({
      decision: 'deny',
      ...(reason === undefined ? {} : { reason }),
    });
    const outcome = await session.submit('Go.');
    expect(outcome).toMatchObject({ status: 'completed', toolCalls: [{ outcome: 'denied', authorizedBy: 'human' }] });
    expect(outcome.toolCalls[0]?.reason).toBe(reason ?? 'The user denied it.');
    expect(requests.at(-1)?.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining(content) });
    expect(entries.at(-1)).toMatchObject({ kind: 'human-decision', decision: 'deny' });
    expect([did, remembered]).toEqual([[], []]);
  });
});

describe('before a person is asked', () => {
  it('a call that cannot succeed fails without a question', async () => {
    const { session, did, of } = asking(
      { decision: 'allow' },
      {
        tool: {
          preview: async () => {
            throw new ToolFailed('Read the file first.');
          },
        },
      },
    );
    const { toolCalls } = await session.submit('Go.');
    expect(toolCalls).toMatchObject([{ outcome: 'failed', authorizedBy: 'automatic' }]);
    expect([did, of('permission-requested')]).toEqual([[], []]);
    expect(of('tool-finished')).toMatchObject([{ content: 'Read the file first.' }]);
  });

  it('a fault of the program in a preview ends the turn, and every call has a result', async () => {
    const { session, did } = asking(
      { decision: 'allow' },
      {
        tool: {
          preview: async () => {
            throw new TypeError('x is not a function');
          },
        },
      },
    );
    expect(await session.submit('Go.')).toMatchObject({ status: 'failed', error: { message: 'x is not a function' } });
    expect(did).toEqual([]);
    expect(session.state.messages.at(-1)).toMatchObject({ role: 'tool', callId: 'do-__a__1_' });
  });

  it('a mode that changes while it waits counts for what comes after', async () => {
    const modes: string[] = [];
    const { session, of } = world([[call('do', { a: 1 }), call('do', { a: 2 })]], {
      dependencies: {
        interactive: true,
        permissions: {
          judge: async (_, mode) => {
            modes.push(mode);
            const decision = mode === 'auto' ? 'allow' : 'ask';
            return { decision, rule: 'do', source: 'default', reason: 'It asks.', authorizedBy: 'automatic' };
          },
          remember: async () => null,
        },
      },
      events: (event, running) => {
        if (event.type !== 'permission-requested') return;
        running.setMode('auto');
        running.decide(event.id, { decision: 'allow' });
      },
    });
    expect((await session.submit('Go.')).status).toBe('completed');
    expect([modes, of('permission-requested').length, session.mode]).toEqual([['normal', 'auto'], 1, 'auto']);
    expect(of('mode-changed')).toEqual([{ type: 'mode-changed', mode: 'auto' }]);
  });
});

it('a question of the model is not put where nobody can answer, whatever the rules allow', async () => {
  const did: string[] = [];
  const { session, of } = world([[call('AskQuestion')]], {
    dependencies: { tools: async () => [toolOf('AskQuestion', did)] },
  });
  expect((await session.submit('Go.')).toolCalls).toMatchObject([
    { outcome: 'denied', reason: 'Nobody can answer a question here.' },
  ]);
  expect([did, of('question')]).toEqual([[], []]);
});

describe('several calls of one answer', () => {
  const together = (answer: Approval, sources: Readonly<Record<string, string>> = {}) => {
    const did: string[] = [];
    const entries: unknown[] = [];
    const names = ['one', 'two', 'three'];
    const opened = world([names.map((name) => call(name))], {
      dependencies: {
        interactive: true,
        asksTogether: true,
        tools: async () => names.map((name) => toolOf(name, did)),
        record: recordOf((entry) => void entries.push(entry)),
        permissions: {
          judge: async ({ tool }) => ({
            decision: 'ask',
            rule: tool,
            source: sources[tool] ?? 'default',
            reason: 'It asks.',
            authorizedBy: 'human',
          }),
          remember: async () => null,
        },
      },
      events: (event, session) => {
        if (event.type === 'permission-requested') session.decide(event.id, event.more === undefined ? ALLOW : answer);
      },
    });
    const asked = () =>
      opened.of('permission-requested').map(({ tool, more = [] }) => [tool, ...more.map((each) => each.tool)]);
    return { ...opened, did, entries, asked };
  };
  const ALLOW: Approval = { decision: 'allow' };

  it('are asked for once, and each has its decision in the record', async () => {
    const { session, did, entries, asked, of } = together(ALLOW);
    await session.submit('Go.');
    expect(asked()).toEqual([['one', 'two', 'three']]);
    expect(did).toEqual(['run one', 'run two', 'run three']);
    expect(entries.filter((one) => (one as { kind: string }).kind === 'human-decision')).toHaveLength(3);
    expect(of('tool-proposed')).toHaveLength(3);
  });

  it('are denied with one reason for all', async () => {
    const { session, did, requests } = together({ decision: 'deny', reason: 'Not today.' });
    await session.submit('Go.');
    expect(did).toEqual([]);
    expect(requests.at(-1)?.filter(({ content }) => JSON.stringify(content).includes('Not today.'))).toHaveLength(3);
  });

  it('are asked for one by one where the person wants that, and what always asks is never among them', async () => {
    const each = together({ decision: 'each' });
    await each.session.submit('Go.');
    expect(each.asked()).toEqual([['one', 'two', 'three'], ['one'], ['two'], ['three']]);
    const destroys = together(ALLOW, { two: 'always asks' });
    await destroys.session.submit('Go.');
    expect(destroys.asked()).toEqual([['one', 'three'], ['two']]);
    expect(destroys.did).toEqual(['run one', 'run two', 'run three']);
  });
});
