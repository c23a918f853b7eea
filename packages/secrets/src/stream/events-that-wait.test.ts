import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALERT, assembled, BLOCK, content, MASK, run, scanner, sse, stop, token } from '../testing/model-events.ts';
import { createEventStream } from './events.ts';

describe('a text that waits for what decides it', () => {
  /** Begin what may be a secret, and turn out to be none, or one. */
  const PARTS = [
    'H',
    'data',
    'x=1',
    'ghp_',
    'sk-',
    'key',
    'abc123',
    ' ',
    '.',
    ' and\n',
    'ü',
    '"',
    'eyJ',
    '-----',
    'password: ',
  ];
  const cutAt = (bytes: Buffer, places: readonly number[]): Uint8Array[] => {
    const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
    return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
  };

  it('leaves its events unchanged where it is no secret', () => {
    for (const part of PARTS)
      for (const responses of [MASK, BLOCK]) {
        const bytes = sse(content(part), content(' end.'), stop, '[DONE]');
        expect(run([bytes], responses)).toEqual({ text: bytes.toString(), findings: [], blocked: false });
        const unended = sse(content('so it is '), content(part));
        expect(run([unended], responses).text, 'also where nothing ends the text').toBe(unended.toString());
      }
  });

  it('leaves every byte of a stream in which nothing is found, and of each text what the channel leaves', () => {
    assert(
      property(
        array(constantFrom(...PARTS, token, token.slice(0, 30), token.slice(30)), { maxLength: 40 }),
        array(integer({ min: 0, max: 9000 }), { maxLength: 12 }),
        constantFrom(MASK, BLOCK),
        constantFrom(true, false),
        (parts, places, responses, ends) => {
          const bytes = sse(...parts.map((text) => content(text)), ...(ends ? [stop, '[DONE]'] : []));
          const { text, findings, blocked } = run(cutAt(bytes, places), responses);
          expect(findings.length > 0 || text === bytes.toString(), 'every byte').toBe(true);
          const channel = scanner.channel(responses, 'x');
          const expected = channel.push(parts.join('')).text + channel.end().text;
          expect(assembled(text)['content 0'] ?? '').toBe(expected);
          expect(text.includes('[DONE]')).toBe(ends && !blocked);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('loses and moves nothing of other texts beside it', () => {
    assert(
      property(
        array(tuple(constantFrom(...PARTS, token, token.slice(0, 30), token.slice(30)), constantFrom(0, 0, 0, 1, 2)), {
          maxLength: 40,
        }),
        array(integer({ min: 0, max: 9000 }), { maxLength: 12 }),
        (parts, places) => {
          const bytes = sse(...parts.map(([text, index]) => content(text, index)), '[DONE]');
          const { text } = run(cutAt(bytes, places), MASK);
          const left = assembled(text);
          for (const index of [0, 1, 2]) {
            const channel = scanner.channel(MASK, 'x');
            const came = parts.filter(([, of]) => of === index).map(([part]) => part);
            expect(left[`content ${index}`] ?? '').toBe(channel.push(came.join('')).text + channel.end().text);
          }
          expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('keeps events of others waiting for nothing', () => {
    for (const other of [sse(content('two', 1)), Buffer.from(': ping\n\n'), sse({ usage: { total_tokens: 1 } })]) {
      const stream = createEventStream(scanner, BLOCK, 'sse');
      expect(Buffer.from(stream.push(sse(content('ab gh'))).bytes).toString()).toBe('');
      expect(Buffer.from(stream.push(other).bytes).toString()).toBe(
        `${sse(content('ab ')).toString()}${other.toString()}`,
      );
      const rest = Buffer.concat([stream.push(sse(content('ost'))).bytes, stream.end().bytes]).toString();
      expect(assembled(rest)['content 0']).toBe('ghost');
    }
  });

  it('is released without its last characters once too much waits after it', () => {
    const stream = createEventStream(scanner, BLOCK, 'sse');
    const long = (text: string): unknown => ({ ...(content(text) as object), note: 'n '.repeat(20_000) });
    expect(stream.push(sse(long('gh'))).bytes).toHaveLength(0);
    const { bytes } = stream.push(sse(long('p_')));
    expect(bytes.length, 'both').toBeGreaterThan(80_000);
    expect(
      assembled(Buffer.concat([bytes, stream.push(sse(content('.'))).bytes, stream.end().bytes]).toString()),
    ).toEqual({
      'content 0': 'ghp_.',
    });
  });
});

describe('events that are like the one before', () => {
  const PARTS = ['', ' ', 'word ', 'ü', '"', '\\', '\n', 'password = ', '"}', ...(token.match(/.{1,7}/g) ?? []), token];

  it('give the output and findings of events that are all different', () => {
    assert(
      property(
        array(tuple(constantFrom(...PARTS), constantFrom(0, 0, 0, 1)), { maxLength: 30 }),
        constantFrom(MASK, BLOCK, ALERT),
        (parts, responses) => {
          const events = parts.map(([text, index]) => content(text, index) as object);
          const alike = run([sse(...events, stop)], responses);
          const different = run([sse(...events.map((event, at) => ({ ...event, at })), stop)], responses);
          expect(assembled(alike.text)).toEqual(assembled(different.text));
          expect([alike.findings, alike.blocked]).toEqual([different.findings, different.blocked]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('give the same bytes for every division', () => {
    assert(
      property(
        array(tuple(constantFrom(...PARTS), constantFrom(0, 0, 0, 1)), { maxLength: 30 }),
        array(integer({ min: 0, max: 9000 }), { maxLength: 12 }),
        constantFrom(MASK, BLOCK, ALERT),
        (parts, places, responses) => {
          const bytes = sse(...parts.map(([text, index]) => content(text, index)), stop, '[DONE]');
          const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
          const chunks = [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
          expect(run(chunks, responses)).toEqual(run([bytes], responses));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('leave in the memory they came in where nothing is found', () => {
    const bytes = sse(...Array.from({ length: 100 }, (_, at) => content(`word ${at} `)));
    const { bytes: left } = createEventStream(scanner, BLOCK, 'sse').push(bytes);
    expect([left.buffer, left.byteOffset, left.length]).toEqual([bytes.buffer, bytes.byteOffset, bytes.length]);
  });

  it('leave byte for byte where nothing is found', () => {
    const bytes = sse(...Array.from({ length: 50 }, (_, at) => content(`word ${at}, "quoted" and ünïcode\n`)), stop);
    expect(run([bytes]).text).toBe(bytes.toString());
    expect(run([...bytes].map((byte) => Uint8Array.of(byte))).text).toBe(bytes.toString());
  });
});
