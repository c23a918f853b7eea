import { describe, expect, it } from 'vitest';
import { call, world } from './testing/session.ts';
import type { Message } from './types/index.ts';

const ask: Message = { role: 'user', content: 'Do it.' };
const calls = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'do', arguments: '{}' })),
});
const result = (callId: string): Message => ({ role: 'tool', callId, content: 'done' });
const lost = (callId: string) => ({ role: 'tool', callId, content: expect.stringContaining('program ended before') });
const next = { role: 'user', content: 'Go on.' } as const;

describe('a session whose process was killed during a call', () => {
  it.each([
    ['no result', [ask, calls('a')], [ask, calls('a'), lost('a'), next]],
    [
      'a part of the results',
      [ask, calls('a', 'b'), result('a')],
      [ask, calls('a', 'b'), result('a'), lost('b'), next],
    ],
    ['a later message', [ask, calls('a'), ask], [ask, calls('a'), lost('a'), ask, next]],
    ['every result', [ask, calls('a'), result('a')], [ask, calls('a'), result('a'), next]],
  ])('goes on after %s: the model gets a result for every call', async (_, messages, sent) => {
    const { session, requests } = world([], { state: { messages, turns: 1 } });
    expect(await session.submit('Go on.')).toMatchObject({ status: 'completed' });
    expect(requests[0]?.filter(({ role }) => role !== 'system')).toEqual(sent);
  });
});

it('a session that could not be saved during a turn goes on with the next message', async () => {
  let saves = 0;
  const save = async (): Promise<void> => {
    saves += 1;
    if (saves === 2) throw new Error('The disk is full.');
  };
  const { session, requests } = world([[call('do', {}, 'a')]], { dependencies: { save } });
  expect(await session.submit('Do it.')).toMatchObject({ status: 'failed', error: { message: 'The disk is full.' } });
  await session.submit('Go on.');
  expect(requests[1]?.slice(-2)).toEqual([lost('a'), next]);
});
