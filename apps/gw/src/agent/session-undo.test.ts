import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, say, unanswered, world } from './testing/session.ts';

async function threeTurns() {
  const opened = world([[say('1')], [say('2')], [say('3')]]);
  for (const message of ['one', 'two', 'three']) await opened.session.submit(message);
  return opened;
}

describe('a conversation that is undone', () => {
  it('gives the messages back to the person, is saved, and the model sees nothing of them', async () => {
    const { session, saved, requests } = await threeTurns();
    expect(await session.rewind(2)).toEqual(['two', 'three']);
    expect(saved.at(-1)).toEqual(session.state);
    await session.submit('four');
    expect(requests.at(-1)?.map(({ content }) => content)).toEqual(['You are a test.', 'one', '1', 'four']);
    expect(session.state.turns).toBe(2);
  });

  it('comes back step by step, each with its messages', async () => {
    const { session, saved } = await threeTurns();
    const whole = session.state.messages;
    await session.rewind(1);
    await session.rewind(2);
    expect([session.state.messages, session.state.turns]).toEqual([[], 0]);
    expect(await session.restore()).toEqual(['one', 'two']);
    expect(session.state.turns).toBe(2);
    expect(await session.restore()).toEqual(['three']);
    expect([session.state.messages, session.state.turns]).toEqual([whole, 3]);
    expect(saved.at(-1)?.messages).toEqual(whole);
    expect(await session.restore()).toEqual([]);
  });

  it('does not come back over a message that was sent since', async () => {
    const { session } = await threeTurns();
    await session.rewind(1);
    await session.submit('another');
    const { messages } = session.state;
    expect(await session.restore()).toEqual([]);
    expect(session.state.messages).toEqual(messages);
  });

  it('saves nothing where there is nothing to undo or to bring back', async () => {
    const { session, saved } = world([]);
    expect([await session.rewind(1), await session.restore(), saved]).toEqual([[], [], []]);
  });

  it('keeps its title, and what was used and paid', async () => {
    const { session } = await threeTurns();
    const { usage, title, id } = session.state;
    await session.rewind(3);
    expect(session.state).toMatchObject({ usage, title, id, turns: 0 });
  });

  it('is the same after any number of undos and as many returns', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 4 }),
        async (undos, turns) => {
          const { session } = world(Array.from({ length: turns * 2 }, (_, at) => (at % 2 ? [say('x')] : [call('do')])));
          for (let at = 0; at < turns; at += 1) await session.submit(`message ${at}`);
          const whole = session.state.messages;
          for (const count of undos) {
            await session.rewind(count);
            expect(unanswered(session.state.messages)).toEqual([]);
            expect(session.state.messages.filter(({ role }) => role === 'user')).toHaveLength(session.state.turns);
          }
          for (let at = 0; at < undos.length; at += 1) await session.restore();
          expect([session.state.messages, session.state.turns]).toEqual([whole, turns]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
