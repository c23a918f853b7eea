import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact, planCompaction } from './make-room.ts';
import { type Conversation, rewind } from './state.ts';
import type { Message } from './types/index.ts';

const user = (content: string): Message => ({ role: 'user', content });
const answer = (content: string): Message => ({ role: 'assistant', content });
const summary = (content: string): Message => ({ role: 'user', content, summary: true });
const texts = ({ messages }: Conversation): unknown[] => messages.map(({ content }) => content);

/** Four turns, of which the second and, perhaps, the third became a summary. */
const COMPACTED = {
  turns: 4,
  messages: [user('task'), summary('SUMMARY'), answer('3'), user('four'), answer('4')],
};

describe('rewind', () => {
  it.each([
    [1, ['one', '1', 'two', '2'], ['three'], 2],
    [2, ['one', '1'], ['two', 'three'], 1],
    [3, [], ['one', 'two', 'three'], 0],
    [9, [], ['one', 'two', 'three'], 0],
  ])('drops the latest turns: %i of 3', (turns, left, dropped, count) => {
    const messages = [user('one'), answer('1'), user('two'), answer('2'), user('three'), answer('3')];
    const found = rewind({ messages, turns: 3 }, turns);
    expect([texts(found), found.dropped, found.turns]).toEqual([left, dropped, count]);
  });

  it('does not take a summary for a message of the user', () => {
    const { messages, turns, dropped } = rewind(COMPACTED, 1);
    expect([messages, turns, dropped]).toEqual([COMPACTED.messages.slice(0, 3), 3, ['four']]);
  });

  it('keeps the summary of a turn that is undone, and says in it that the turn was undone', () => {
    const found = rewind(COMPACTED, 2);
    expect(texts(found)).toEqual(['task', expect.stringMatching(/^SUMMARY\n\n\[.*undid/)]);
    expect([found.messages[1], found.turns, found.dropped]).toEqual([
      expect.objectContaining({ summary: true }),
      2,
      ['four'],
    ]);
    expect(texts(rewind(found, 1))).toHaveLength(2);
    expect(rewind(rewind(found, 1), 1)).toEqual({ messages: [], turns: 0, dropped: ['task'] });
  });

  it('drops the summary with the task', () => {
    expect(rewind(COMPACTED, 4)).toEqual({ messages: [], turns: 0, dropped: ['task', 'four'] });
  });

  it('drops all of a single turn that was compacted', () => {
    const messages = [user('task'), summary('SUMMARY'), answer('x')];
    expect(rewind({ messages, turns: 1 }, 1)).toEqual({ messages: [], turns: 0, dropped: ['task'] });
  });

  it.each([0, -1, Number.NaN])('changes nothing for %s turns', (turns) => {
    expect(rewind(COMPACTED, turns)).toEqual({ ...COMPACTED, dropped: [] });
  });

  it('undoes turn after turn until nothing is left, whenever the conversation was compacted', () => {
    const turn = fc.record({ size: fc.integer({ min: 1, max: 3000 }), compacts: fc.boolean() });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 8 }), (given) => {
        let conversation: Conversation = { messages: [], turns: 0 };
        for (const [at, { size, compacts }] of given.entries()) {
          const messages = [...conversation.messages, user(`message ${at}`), answer('x'.repeat(size))];
          const plan = compacts ? planCompaction(messages, 500) : null;
          conversation = {
            messages: plan === null ? messages : compact(plan, `summary ${at}`, []),
            turns: conversation.turns + 1,
          };
        }
        for (let left = given.length; left > 0; left -= 1) {
          const found = rewind(conversation, 1);
          expect(found.turns).toBe(left - 1);
          for (const text of found.dropped) expect(text).toMatch(/^message \d+$/);
          expect(found.messages[0]).toEqual(left > 1 ? user('message 0') : undefined);
          conversation = found;
        }
        expect(conversation.messages).toEqual([]);
      }),
    );
  });
});
