import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortenResults } from './make-room.ts';
import type { Message } from './types/index.ts';

const result = (length: number): Message => ({ role: 'tool', callId: String(length), content: 'x'.repeat(length) });
const lengths = (messages: readonly Message[]) => messages.map(({ content }) => content.length);

it('cuts results of tools alone, the longest ones, and keeps their beginning and end', () => {
  const messages: Message[] = [
    { role: 'user', content: 'u'.repeat(9000) },
    { role: 'assistant', content: 'a'.repeat(9000) },
    result(500),
    { role: 'tool', callId: 'long', content: `BEGIN${'y'.repeat(9000)}END` },
  ];
  const shorter = shortenResults(messages, 2000) ?? [];
  expect(shorter.slice(0, 3)).toEqual(messages.slice(0, 3));
  expect(shorter[3]).toMatchObject({ callId: 'long', content: expect.stringMatching(/^BEGINy+\n\[… .*\]\ny+END$/) });
  expect(shorter[3]?.content.length).toBeLessThanOrEqual(1500);
});

it('changes nothing where all results have their share, or there are none', () => {
  expect(shortenResults([result(500), result(1500)], 2000)).toBeNull();
  expect(shortenResults([result(300), result(400)], 100)).toBeNull();
  expect(shortenResults([{ role: 'user', content: 'u'.repeat(9000) }], 100)).toBeNull();
});

it('leaves at most the room, or a note for each, and nothing to cut a second time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { maxLength: 20 }), fc.nat(40_000), (sizes, room) => {
      const messages = sizes.map(result);
      const shorter = shortenResults(messages, room) ?? messages;
      const total = lengths(shorter).reduce((sum, length) => sum + length, 0);
      expect(total).toBeLessThanOrEqual(Math.max(room, 400 * sizes.length));
      for (const [at, length] of lengths(shorter).entries()) expect(length).toBeLessThanOrEqual(sizes[at] ?? 0);
    }),
  );
});
