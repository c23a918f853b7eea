import { describe, expect, it, onTestFinished } from 'vitest';
import { toolOf, world } from '../../apps/gw/src/agent/testing/session.ts';
import type { Message } from '../../apps/gw/src/agent/types/index.ts';
import { createChatModel } from '../../apps/gw/src/models/chat-completions.ts';
import { createPost } from '../../apps/gw/src/models/http.ts';
import { startVendor, type Turn } from './engine.ts';
import { VENDORS } from './vendors.ts';

const use = (id: string, text = '{"a":1}', name = 'do') => ({ id, name, arguments: text });

const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';

/** What models of all kinds do, and what earlier models left in the conversation. */
const SESSIONS: readonly (readonly [string, readonly Turn[], readonly Message[]])[] = [
  [
    'one call after the other',
    [{ calls: [use('call_a')] }, { calls: [use('call_b', '{"a":2}')] }, { text: 'One.' }],
    [],
  ],
  [
    'the same id twice',
    [{ calls: [use('x'), use('x', '{"a":2}')] }, { calls: [use('x', '{"a":3}')] }, { text: 'One.' }],
    [],
  ],
  [
    'odd ids, names and arguments',
    [{ calls: [use('functions.do:0'), use('', '{"a":'), use('y'.repeat(400), '[1]', 'Do.it!')] }, { text: 'One.' }],
    [],
  ],
  [
    'pictures among the results',
    [
      { calls: [use('call_a', '{}', 'look'), use('call_b')] },
      { calls: [use('call_c', '{}', 'look')] },
      { text: 'One.' },
    ],
    [],
  ],
  ['a message in the middle', [{ calls: [use('call_a', '{}', 'steer')] }, { text: 'One.' }], []],
  [
    'a message in the middle, with a picture',
    [{ calls: [use('call_a', '{}', 'look'), use('call_b', '{}', 'steer')] }],
    [],
  ],
  [
    'a denied call, a call that fails, and one of a tool that does not exist',
    [{ calls: [use('call_a', '{}', 'deny'), use('call_b', '{}', 'fail'), use('call_c', '{}', 'nowhere')] }],
    [],
  ],
  [
    'a conversation of another model',
    [{ calls: [use('call_a')] }, { text: 'One.' }],
    [
      { role: 'user', content: 'Earlier.' },
      { role: 'user', content: 'Summary.', summary: true },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'toolu_1', name: 'do', arguments: '{}', members: { other: 'OF-ANOTHER' } }],
        members: { thinking: 'OF-ANOTHER' },
        entry: 'Another (other)',
      },
      { role: 'tool', callId: 'toolu_1', content: 'did' },
    ],
  ],
];

describe.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))('with the rules of %s', (_, vendor) => {
  it.each(SESSIONS)('%s goes on, and so does the next prompt', async (_name, turns, messages) => {
    const engine = await startVendor(vendor, turns);
    onTestFinished(engine.close);
    const clock = { now: () => new Date(), sleep: async () => undefined };
    const settings = {
      name: 'Test',
      id: 'test',
      address: engine.address,
      contextLength: null,
      maxTokens: 1000,
      temperature: null,
      stallSeconds: 60,
      images: null,
      prices: null,
      key: async () => null,
    };
    const model = createChatModel(settings, createPost(new Map()), clock);
    const { session } = world([], {
      model,
      state: { messages, turns: messages.length === 0 ? 0 : 1 },
      decide: (tool) => (tool === 'deny' ? 'deny' : 'allow'),
      dependencies: {
        tools: async () => [
          ...['do', 'fail', 'deny'].map((name) => toolOf(name, [])),
          toolOf('look', [], { run: async () => ({ outcome: 'succeeded', content: 'Seen.', images: [PICTURE] }) }),
          toolOf('steer', [], {
            async run() {
              session.steer('Look at the other one, too.');
              return { outcome: 'succeeded', content: 'did' };
            },
          }),
        ],
      },
    });
    for (const prompt of ['First.', 'Second.'])
      expect(await session.submit(prompt)).toMatchObject({ status: 'completed', error: null });
    expect(engine.faults).toEqual([]);
    expect(JSON.stringify(engine.taken)).not.toMatch(/OF-ANOTHER|A picture was here/);
  });
});
