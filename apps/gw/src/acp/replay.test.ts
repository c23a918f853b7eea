import { describe, expect, it } from 'vitest';
import { newState } from '../agent/state.ts';
import type { Message, SessionState } from '../agent/types/index.ts';
import { replayOf } from './updates.ts';

const of = (messages: readonly Message[], change: Partial<SessionState> = {}) => {
  let calls = 0;
  const state = newState({ now: new Date(0), directory: '/project', project: '/project', model: 'Test' });
  return replayOf({ ...state, messages, ...change }, '/project', () => `own-${(calls += 1)}`);
};
const call = (id: string, name: string, args: string): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id, name, arguments: args }],
});

describe('a replayed conversation', () => {
  it('has messages, calls and results in their order', () => {
    const updates = of([
      { role: 'user', content: 'Read it' },
      { ...call('1', 'Read', '{"file_path":"a.txt"}'), content: 'I read.' },
      { role: 'tool', callId: '1', content: 'text' },
      { role: 'assistant', content: 'It says text.' },
    ]);
    expect(updates).toMatchObject([
      { sessionUpdate: 'user_message_chunk' },
      { sessionUpdate: 'agent_message_chunk' },
      { sessionUpdate: 'tool_call', toolCallId: 'own-1', title: 'Read a.txt', locations: [{ path: '/project/a.txt' }] },
      { sessionUpdate: 'tool_call_update', toolCallId: 'own-1', status: 'completed' },
      { sessionUpdate: 'agent_message_chunk' },
    ]);
  });

  it('leaves out a summary: the user did not write it', () => {
    const updates = of([
      { role: 'user', content: 'task' },
      { role: 'user', content: '[9 earlier messages were summarized]', summary: true },
    ]);
    expect(updates).toHaveLength(1);
  });

  it.each(['', '{', 'null', '[]', '3', '{"file_path":3}', '{"path":{"a":1}}'])(
    'shows a call whose arguments are %j without a target',
    (args) => {
      expect(of([call('1', 'Read', args)])).toMatchObject([{ title: 'Read', locations: [] }]);
    },
  );

  it('leaves out a result without its call, and the checklist in favour of the plan', () => {
    const messages: Message[] = [
      { role: 'tool', callId: 'lost', content: 'x' },
      call('1', 'Checklist', '{"items":[]}'),
      { role: 'tool', callId: '1', content: 'ok' },
    ];
    expect(of(messages)).toEqual([]);
    expect(of(messages, { checklist: [{ text: 'one', state: 'open' }] })).toMatchObject([{ sessionUpdate: 'plan' }]);
  });

  it('has images whose data can be read, and no others', () => {
    const updates = of([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', url: 'data:image/png;base64,AAAA' },
          { type: 'image', url: 'https://example.org/a.png' },
          { type: 'image', url: 'data:image/png,AAAA' },
        ],
      },
    ]);
    expect(updates.map((update) => ('content' in update ? update.content : null))).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ]);
  });

  it('gives each call of the same identifier its own result', () => {
    const updates = of([
      call('call_0', 'Bash', '{"command":"one"}'),
      { role: 'tool', callId: 'call_0', content: 'first' },
      call('call_0', 'Bash', '{"command":"two"}'),
      { role: 'tool', callId: 'call_0', content: 'second' },
    ]);
    expect(updates.map((update) => ('toolCallId' in update ? update.toolCallId : ''))).toEqual([
      'own-1',
      'own-1',
      'own-2',
      'own-2',
    ]);
  });
});
