import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, recordOf, say, toolOf, unanswered, world } from './testing/session.ts';
import { ModelFailed, ModelRefused } from './types.ts';

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
