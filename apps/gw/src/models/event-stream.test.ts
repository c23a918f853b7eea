import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventData } from './event-stream.ts';

async function read(pieces: readonly Uint8Array[]): Promise<string[]> {
  async function* given(): AsyncGenerator<Uint8Array> {
    yield* pieces;
  }
  const events: string[] = [];
  for await (const event of eventData(given())) events.push(event);
  return events;
}
const bytes = (text: string): Uint8Array => Buffer.from(text);

it.each<[string, string, string[]]>([
  ['a text without the blank behind the colon', 'data:{"a":1}\n\n', ['{"a":1}']],
  ['one blank only as a separator', 'data:   x\n\n', ['  x']],
  ['several data lines as one event', 'data: a\ndata:\ndata: b\n\n', ['a\n\nb']],
  [
    'no comments, names, identifiers and retry times',
    ': ping\nevent: x\nid: 7\nretry: 1\ndata: a\n\n: ping\n\n',
    ['a'],
  ],
  ['no event for blank lines alone', '\n\n\r\n\r\ndata: a\n\n\n\n', ['a']],
  ['carriage returns as line ends', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['a last event whose blank line is missing', 'data: a\n\ndata: b', ['a', 'b']],
  ['a last event that ends in a carriage return', 'data: b\r', ['b']],
  ['nothing in an empty answer', '', []],
])('reads %s', async (_, text, events) => {
  expect(await read([bytes(text)])).toEqual(events);
});

it('reads the same events wherever the bytes are cut', async () => {
  const data = fc.array(fc.string({ unit: fc.constantFrom('a', ' ', ':', 'é', '東', '🔑', '\u2028'), maxLength: 6 }), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(data, fc.boolean()), { maxLength: 4 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat({ max: 60 }), { maxLength: 8 }),
      async (events, end, cuts) => {
        const text = events
          .map(
            ([lines, comment]) =>
              `${comment ? `: ping${end}` : ''}${lines.map((one) => `data: ${one}${end}`).join('')}${end}`,
          )
          .join('');
        const whole = bytes(text);
        const at = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
        const pieces = at.slice(1).map((to, index) => whole.subarray(at[index], to));
        expect(await read(pieces)).toEqual(events.map(([lines]) => lines.join('\n')));
      },
    ),
  );
});
