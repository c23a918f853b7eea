import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact, isFull, plainSummary, planCompaction, roomOf, summaryRequest } from './make-room.ts';
import type { Message } from './types/index.ts';

/** Steps of a turn: the model says something, or calls tools, whose results follow. */
const STEP = fc
  .tuple(fc.string({ maxLength: 20 }), fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 3 }))
  .map(([content, results]): readonly Message[] => [
    { role: 'assistant', content, toolCalls: results.map(() => ({ id: '', name: 'Read', arguments: '{}' })) },
    ...results.map((size): Message => ({ role: 'tool', callId: '', content: 'x'.repeat(size) })),
  ]);
const TURN = fc
  .tuple(fc.string({ maxLength: 200 }), fc.array(STEP, { maxLength: 4 }))
  .map(([content, steps]): readonly Message[] => [{ role: 'user', content }, ...steps.flat()]);
/** Identifiers are numbered afterwards, so that each call has one of its own. */
const CONVERSATION = fc.array(TURN, { minLength: 1, maxLength: 6 }).map((turns) => {
  let calls = 0;
  let results = 0;
  return turns.flat().map((message): Message => {
    if (message.role === 'tool') return { ...message, callId: `call-${(results += 1)}` };
    if (message.role !== 'assistant') return message;
    return {
      ...message,
      toolCalls: (message.toolCalls ?? []).map((call) => ({ ...call, id: `call-${(calls += 1)}` })),
    };
  });
});

/** Identifiers of results without their call before them, and of calls without a result. */
function unpaired(messages: readonly Message[]): string[] {
  const open = new Set<string>();
  const lost: string[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) open.add(id);
    if (message.role === 'tool' && !open.delete(message.callId)) lost.push(message.callId);
  }
  return [...lost, ...open];
}

describe('compaction', () => {
  it('keeps the task and the latest messages in their order, and every result with its call', () => {
    fc.assert(
      fc.property(CONVERSATION, fc.integer({ min: 100, max: 8000 }), (messages, contextLength) => {
        const plan = planCompaction(messages, roomOf(contextLength, 0)) ?? {
          task: messages[0],
          dropped: [],
          kept: messages.slice(1),
        };
        expect([plan.task, ...plan.dropped, ...plan.kept]).toEqual(messages);
        expect(unpaired(plan.kept)).toEqual([]);
        expect(unpaired(plan.dropped)).toEqual([]);
      }),
    );
  });
  it('leaves room: what is kept is small, or is the latest step alone', () => {
    fc.assert(
      fc.property(CONVERSATION, fc.integer({ min: 100, max: 8000 }), (messages, contextLength) => {
        const kept = planCompaction(messages, roomOf(contextLength, 0))?.kept ?? [];
        const characters = JSON.stringify(kept).length;
        const steps = kept.filter(({ role }) => role !== 'tool').length;
        expect(characters <= contextLength * 4 * 0.3 + kept.length + 2 || steps <= 1).toBe(true);
      }),
    );
  });
  it('has nothing to do in a conversation of one message, or of none', () => {
    expect(planCompaction([], 4800)).toBeNull();
    expect(planCompaction([{ role: 'user', content: 'x'.repeat(100_000) }], 4800)).toBeNull();
  });
  it('may be repeated: the task stays first, and the earlier summary is summarized', () => {
    const long = (at: number): Message[] => [
      { role: 'user', content: `question ${at}` },
      { role: 'assistant', content: `answer ${at} ${'x'.repeat(3000)}` },
    ];
    let messages: readonly Message[] = [{ role: 'user', content: 'THE-TASK' }, ...long(1), ...long(2)];
    for (const round of [1, 2, 3]) {
      const plan = planCompaction(messages, 4800);
      if (plan === null) throw new Error('nothing to summarize');
      expect(summaryRequest(plan.dropped, 4800)).toContain(round === 1 ? 'question 1' : `SUMMARY-${round - 1}`);
      messages = [...compact(plan, `SUMMARY-${round}`, [{ text: 'step', state: 'doing' }]), ...long(round + 2)];
      expect(messages[0]?.content).toBe('THE-TASK');
      expect(messages[1]?.content).toMatch(new RegExp(`SUMMARY-${round}[\\s\\S]*- \\[>\\] step`));
    }
    expect(JSON.stringify(messages)).not.toContain('SUMMARY-2');
  });
  it('begins at 85 % of the context, of 128 000 tokens where no length is configured', () => {
    expect([isFull(850, 1000), isFull(851, 1000), isFull(108_800, null), isFull(108_801, null)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

describe('a summary that the client makes itself', () => {
  it('holds what the user said and what was called, not the results', () => {
    const summary = plainSummary(
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Do it.' },
            { type: 'image', url: 'data:image/png;base64,AAAA' },
          ],
        },
        {
          role: 'assistant',
          content: 'I will.',
          toolCalls: [{ id: 'a', name: 'Bash', arguments: '{"command":"make"}' }],
        },
        { role: 'tool', callId: 'a', content: 'A-LONG-RESULT' },
      ],
      4800,
    );
    expect(summary).toBe('The user said: Do it.\nYou called Bash {"command":"make"}');
  });
  it('is bounded, however long the conversation is', () => {
    const many = Array.from({ length: 1000 }, (): Message => ({ role: 'user', content: 'y'.repeat(1000) }));
    expect(plainSummary(many, 400_000).length).toBeLessThan(110_000);
  });
});
