import { array, assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Framer } from './framing.ts';

function push(framer: Framer, chunk: Uint8Array): Uint8Array[] {
  framer.add(chunk);
  const frames: Uint8Array[] = [];
  for (let frame = framer.next(); frame !== null; frame = framer.next()) frames.push(frame);
  return frames;
}

function frames(text: string, places: readonly number[], framing: 'sse' | 'ndjson' = 'sse'): string[] {
  const bytes = Buffer.from(text);
  const cuts = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  const framer = new Framer(framing);
  const whole = [0, ...cuts].flatMap((from, index) => push(framer, bytes.subarray(from, cuts[index] ?? bytes.length)));
  return [...whole, framer.end()].map((frame) => Buffer.from(frame).toString()).filter((frame) => frame !== '');
}

describe('frames', () => {
  it('end with an empty line, in every convention of line ends', () => {
    expect(frames('a\n\nb\r\n\r\nc\r\rd', [])).toEqual(['a\n\n', 'b\r\n\r\n', 'c\r\r', 'd']);
    expect(frames('{}\n{}\r\n{', [], 'ndjson')).toEqual(['{}\n', '{}\r\n', '{']);
  });

  it('are the same for every division of the bytes', () => {
    assert(
      property(
        array(constantFrom('data: x', '\n', '\r\n', '\n\n', ': c'), { maxLength: 20 }),
        array(integer({ min: 0, max: 200 }), { maxLength: 20 }),
        (pieces, places) => {
          const text = pieces.join('');
          expect(frames(text, places)).toEqual(frames(text, []));
          expect(frames(text, places).join('')).toBe(text);
        },
      ),
    );
  });

  it('that are too long leave in parts, all of them, at once', () => {
    const framer = new Framer('sse');
    let length = 0;
    for (let part = 0; part < 100; part++) {
      for (const frame of push(framer, Buffer.alloc(10_000, 'x'))) length += frame.length;
      expect((part + 1) * 10_000 - length).toBeLessThanOrEqual(256 * 1024);
    }
    expect(length).toBe(1_000_000);
    expect(push(framer, Buffer.from('\n\nnext\n\n')).map(String)).toHaveLength(2);
  });
});
