import { describe, expect, it } from 'vitest';
import { call, say, toolOf, unanswered, world } from './testing/session.ts';
import type { AgentEvent, Tool, ToolContext } from './types/index.ts';
import { ModelRefused } from './types/index.ts';

/** A tool that does something with its context, and then succeeds. */
function acting(name: string, act: (context: ToolContext) => void | Promise<void>, did: string[]): Tool {
  return toolOf(name, did, {
    async run(_, context) {
      did.push(`run ${name}`);
      await act(context);
      return { outcome: 'succeeded', content: 'done' };
    },
  });
}

/** Rejects when the signal is aborted. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

describe('an interruption', () => {
  it('while the model speaks keeps what it said so far, without a call that was not complete', async () => {
    const { session, did, of } = world(
      [
        async function* speak(signal) {
          yield say('The first half');
          yield call('do');
          yield say(' and');
          await untilAborted(signal);
        },
      ],
      {
        events: (event, running) => {
          if (event.type === 'text' && event.text === ' and') running.interrupt();
        },
      },
    );
    expect(await session.submit('Go.')).toMatchObject({
      status: 'interrupted',
      answer: 'The first half and',
      error: { message: 'The turn was interrupted.', status: null },
    });
    expect(session.state.messages).toEqual([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'The first half and', entry: 'Test' },
    ]);
    expect(did).toEqual(['prompt']);
    expect(of('message-finished')).toEqual([]);
  });

  it('before the model said anything leaves the message of the user alone', async () => {
    const { session, saved } = world([
      async function* silent(signal) {
        queueMicrotask(() => session.interrupt());
        await untilAborted(signal);
        yield say('never');
      },
    ]);
    expect(await session.submit('Go.')).toMatchObject({ status: 'interrupted', answer: '' });
    expect(session.state.messages).toEqual([{ role: 'user', content: 'Go.' }]);
    expect(saved.at(-1)?.messages).toEqual(session.state.messages);
  });

  it('while a tool runs reaches the tool, and tells the organization what was interrupted', async () => {
    const acts: unknown[] = [];
    const did: string[] = [];
    const { session, requests } = world([[call('wait'), call('do')]], {
      dependencies: {
        tools: async () => [
          acting(
            'wait',
            async ({ signal }) => {
              session.interrupt();
              await untilAborted(signal);
            },
            did,
          ),
          toolOf('do', did),
        ],
        organization: {
          policy: async () => Promise.reject(new Error('not asked')),
          standing: async () => 'in force',
          act: (act) => acts.push(act),
          flush: async () => null,
        },
      },
    });
    const outcome = await session.submit('Go.');
    expect(outcome).toMatchObject({ status: 'interrupted', toolCalls: [{ tool: 'wait', outcome: 'failed' }] });
    expect(acts).toMatchObject([{ tool: 'wait', outcome: 'interrupted', session: session.state.id }]);
    expect(did).toEqual(['run wait']);
    expect(unanswered(session.state.messages)).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it('during a call that ends all the same runs none of the calls behind it', async () => {
    const did: string[] = [];
    const { session, requests } = world([[call('finish'), call('do', { a: 1 }), call('do', { a: 2 })]], {
      dependencies: {
        tools: async () => [acting('finish', () => session.interrupt(), did), toolOf('do', did)],
      },
    });
    expect((await session.submit('Go.')).status).toBe('interrupted');
    expect(did).toEqual(['run finish']);
    expect(requests).toHaveLength(1);
    expect(unanswered(session.state.messages)).toEqual([]);
  });

  it('while a question of a tool waits ends the turn without an answer', async () => {
    const did: string[] = [];
    const asking = acting(
      'ask',
      async (context) => {
        await context.ask?.({ question: 'Which?', options: [] });
      },
      did,
    );
    const { session, of } = world([[call('ask')]], {
      dependencies: { interactive: true, tools: async () => [asking] },
      events: (event, running) => {
        if (event.type === 'question') running.interrupt();
      },
    });
    expect((await session.submit('Go.')).status).toBe('interrupted');
    const [question] = of('question');
    expect(session.answer(question?.id ?? '', 'too late')).toBe(false);
    expect(unanswered(session.state.messages)).toEqual([]);
  });

  it('of a session that runs nothing does nothing', async () => {
    const { session } = world([]);
    session.interrupt();
    expect(await session.submit('Go.')).toMatchObject({ status: 'completed', answer: 'Done.' });
    session.interrupt();
    expect(await session.submit('Again.')).toMatchObject({ status: 'completed', answer: 'Done.' });
  });

  it('ends the running turn when the session is closed, and closes what the session started', async () => {
    const closed: string[] = [];
    const { session } = world(
      [
        async function* speak(signal) {
          yield say('Half');
          await untilAborted(signal);
        },
      ],
      { dependencies: { close: async () => void closed.push('closed') } },
    );
    const spoken = new Promise<void>((resolve) => {
      session.subscribe((event) => {
        if (event.type === 'text') resolve();
      });
    });
    const turn = session.submit('Go.');
    await spoken;
    expect(session.running).toBe(true);
    await session.close();
    expect(await turn).toMatchObject({ status: 'interrupted', answer: 'Half' });
    expect([closed, session.running]).toEqual([['closed'], false]);
  });
});

it('a request that was decided cannot be decided again, and an unknown one never', async () => {
  const decided: boolean[] = [];
  const { session } = world([[call('do')]], {
    decide: () => 'ask',
    dependencies: { interactive: true },
    events: (event: AgentEvent, running) => {
      if (event.type !== 'permission-requested') return;
      for (const id of ['other', event.id, event.id]) decided.push(running.decide(id, { decision: 'allow' }));
    },
  });
  expect((await session.submit('Go.')).status).toBe('completed');
  expect(decided).toEqual([false, true, false]);
  expect(session.decide('other', { decision: 'allow' })).toBe(false);
});

it('a tool that learns of the end of the session ends the turn as refused', async () => {
  const did: string[] = [];
  const acts: unknown[] = [];
  const { session, requests } = world([[call('remote'), call('do')]], {
    dependencies: {
      tools: async () => [
        acting(
          'remote',
          () => {
            throw new ModelRefused('This agent session was revoked.', 403, true);
          },
          did,
        ),
        toolOf('do', did),
      ],
      organization: {
        policy: async () => Promise.reject(new Error('not asked')),
        standing: async () => 'unknown',
        act: (act) => acts.push(act),
        flush: async () => null,
      },
    },
  });
  expect(await session.submit('Go.')).toMatchObject({
    status: 'refused',
    error: { message: 'This agent session was revoked.', status: 403, revoked: true },
    toolCalls: [{ tool: 'remote', outcome: 'failed' }],
  });
  expect(acts).toMatchObject([{ outcome: 'refused', reason: 'This agent session was revoked.' }]);
  expect([did, requests.length]).toEqual([['run remote'], 1]);
  expect(unanswered(session.state.messages)).toEqual([]);
});
