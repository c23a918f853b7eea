import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentSession } from '../agent/types/index.ts';
import { createConversation } from './conversation.ts';

type Listener = Parameters<AgentSession['subscribe']>[0];

/** A session whose turns end on demand. */
function openTurns() {
  const turns: { readonly message: string; readonly end: () => void }[] = [];
  let report: Listener = () => undefined;
  const session = {
    subscribe: (listener: Listener) => {
      report = listener;
    },
    submit: (message: string) =>
      new Promise<void>((resolve) => {
        turns.push({ message, end: resolve });
      }),
    interrupt: () => turns.at(-1)?.end(),
    decide: (id: string) => id === 'known',
    answer: (id: string) => id === 'question',
  };
  return { session: session as unknown as AgentSession, turns, report: (event: unknown) => report(event as never) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Whether the conversation is over now. */
async function isOver(conversation: { readonly ended: Promise<void> }): Promise<boolean> {
  return Promise.race([conversation.ended.then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

// client-21
describe('a served session', () => {
  it('ends after its inactivity time', async () => {
    const conversation = createConversation(openTurns().session, 1_000);
    await vi.advanceTimersByTimeAsync(999);
    expect(await isOver(conversation)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver(conversation)).toBe(true);
  });

  it('counts only messages and work: reading its state does not prolong it', async () => {
    const conversation = createConversation(openTurns().session, 1_000);
    for (let step = 0; step < 10; step += 1) {
      expect([conversation.isProcessing, conversation.queueLength, conversation.pending]).toEqual([false, 0, null]);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(await isOver(conversation)).toBe(true);
  });

  it('does not end while a turn works or waits for an approval, and starts its time again then', async () => {
    const { session, turns, report } = openTurns();
    const conversation = createConversation(session, 1_000);
    expect(conversation.send('write')).toBe(0);
    report({ type: 'permission-requested', id: 'known', tool: 'Write', target: { value: 'a' }, reason: 'asks' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await isOver(conversation)).toBe(false);
    expect(conversation.pending).toMatchObject({ requestId: 'known', tool: 'Write', target: 'a' });
    expect([conversation.approve('other', true), conversation.approve('known', true)]).toEqual([false, true]);
    turns[0]?.end();
    await vi.advanceTimersByTimeAsync(999);
    expect(await isOver(conversation)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver(conversation)).toBe(true);
  });

  it('works on messages in their order, and says how many are before one', async () => {
    const { session, turns } = openTurns();
    const conversation = createConversation(session, 1_000);
    expect(['one', 'two', 'three'].map((message) => conversation.send(message))).toEqual([0, 1, 2]);
    expect(conversation.queueLength).toBe(2);
    turns[0]?.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(turns.map(({ message }) => message)).toEqual(['one', 'two']);
  });

  it('keeps messages during a pause, and continues with the next one that arrives', async () => {
    const { session, turns } = openTurns();
    const conversation = createConversation(session, 1_000);
    for (const message of ['one', 'two']) conversation.send(message);
    conversation.pause();
    await vi.advanceTimersByTimeAsync(0);
    expect([conversation.isProcessing, conversation.queueLength]).toEqual([false, 1]);
    conversation.send('three');
    await vi.advanceTimersByTimeAsync(0);
    expect(turns.map(({ message }) => message)).toEqual(['one', 'two']);
  });

  it('takes a message as the answer to a question that waits', () => {
    const { session, turns, report } = openTurns();
    const conversation = createConversation(session, 1_000);
    conversation.send('one');
    report({ type: 'question', id: 'question' });
    expect(conversation.send('yes')).toBe(0);
    expect([turns.length, conversation.queueLength]).toEqual([1, 0]);
  });
});
