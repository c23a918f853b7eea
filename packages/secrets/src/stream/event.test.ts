import { array, assert, constantFrom, dictionary, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../scan/response.ts';
import { dataOf, decoded, deltasOf, isDone, literalOf, parse, replace, textOfDelta } from './event.ts';

/** The data of an event as text. */
function dataIn(event: string, framing: 'sse' | 'ndjson' = 'sse'): string | null {
  const data = dataOf(Buffer.from(event), framing);
  return data === null ? null : decoded(data.bytes, data.from, data.to);
}

describe('the data of an event', () => {
  it.each([
    ['data: {"a":1}\n\n', '{"a":1}'],
    ['data:{"a":1}\n\n', '{"a":1}'],
    ['data:  {"a":1}\r\n\r\n', ' {"a":1}'],
    ['event: x\rdata: {"a":1}\rid: 7\r\r', '{"a":1}'],
    ['data: {"a":1}', '{"a":1}'],
    ['data:\n\n', ''],
    [': data: no\ndata: yes\n\n', 'yes'],
    ['data: é🔑\n\n', 'é🔑'],
  ])('of %j is %j', (event, data) => {
    expect(dataIn(event)).toBe(data);
  });

  it.each(['event: ping\n\n', ': comment\n\n', 'database: x\n\n', ' data: x\n\n', 'data\n\n', '\n\n', ''])(
    'is none in %j',
    (event) => {
      expect(dataIn(event)).toBeNull();
    },
  );

  it('is the line, where lines are events', () => {
    expect(dataIn('{"a":1}\n', 'ndjson')).toBe('{"a":1}\n');
    expect(dataIn('data: {"a":1}\n', 'ndjson')).toBe('data: {"a":1}\n');
  });

  it.each(['\n', '\r\n', '\r'])('of several lines is one text of as many bytes, with line ends of %j', (end) => {
    const event = ['event: x', 'data: {"a":', ': comment', 'data:1, "b":', 'id: 7', 'data: "é" }', '', ''].join(end);
    const data = dataOf(Buffer.from(event), 'sse');
    expect(data?.bytes).toHaveLength(Buffer.byteLength(event));
    expect(JSON.parse(dataIn(event) ?? '')).toEqual({ a: 1, b: 'é' });
    const at = Buffer.from(data?.bytes ?? []).indexOf('"é"');
    expect(
      Buffer.from(event)
        .subarray(at, at + 4)
        .toString(),
    ).toBe('"é"');
  });

  it('keeps a line end in a string, which is then no JSON: a client reads none either', () => {
    const event = 'data: {"a":"one\ndata: two"}\n\n';
    expect(parse(dataIn(event) ?? '')).toBeUndefined();
    expect(parse(dataIn('data: {"a":"one two"}\n\n') ?? '')).toEqual({ a: 'one two' });
  });

  it('of several lines is the same as WHATWG joins them, except for blanks', () => {
    const line = string({ unit: constantFrom('a', '"', '{', ' ', 'é', '1'), maxLength: 5 });
    assert(
      property(array(line, { minLength: 2, maxLength: 5 }), constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        const event = lines.map((each) => `data: ${each}${end}`).join('') + end;
        expect(dataIn(event)?.replaceAll(/[ \r\n]+/g, '')).toBe(lines.join('').replaceAll(' ', ''));
      }),
    );
  });
});

describe('the end of a stream', () => {
  it.each([
    ['[DONE]', true],
    [' [DONE]\n', true],
    ['[done]', false],
    ['"[DONE]"', false],
    [`${' '.repeat(64)}[DONE]`, false],
    ['', false],
  ])('is %j: %s', (data, done) => {
    expect(isDone(data)).toBe(done);
  });
});

describe('a text of an event', () => {
  const unit = constantFrom(...Array.from('au:" \\\n\b\f\0/é€🔑\u2028'));
  const chat = (content: string): string => `{"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}`;
  const read = (event: string) => {
    const data = dataOf(Buffer.from(event), 'sse');
    if (data === null) throw new Error('no data');
    const json = decoded(data.bytes, data.from, data.to);
    return { data, deltas: runToEnd(deltasOf(data, json, parse(json))) };
  };

  it('is at the bytes of its literal, whatever comes before it', () => {
    assert(
      property(
        string({ unit, maxLength: 20 }),
        dictionary(string({ unit, maxLength: 5 }), string({ unit, maxLength: 5 }), { maxKeys: 3 }),
        (text, others) => {
          const before = JSON.stringify({ 'é"\\': others }).slice(1, -1);
          const event = `event: ü\ndata: {${before},${chat(text).slice(1)}\n\n`;
          const { data, deltas } = read(event);
          const [delta] = deltas;
          expect(deltas).toHaveLength(1);
          expect(delta === undefined ? '' : textOfDelta(data.bytes, delta)).toBe(text);
          const changed = replace(Buffer.from(event), [
            { from: delta?.from ?? 0, to: delta?.to ?? 0, text: literalOf('new "text"\n') },
          ]);
          expect(Buffer.from(changed).toString()).toBe(
            `event: ü\ndata: {${before},${chat('new "text"\n').slice(1)}\n\n`,
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is none where the same members belong to something else', () => {
    expect(read('data: {"note":{"choices":[{"delta":{"content":"x"}}]}}\n\n').deltas).toEqual([]);
    expect(read('data: [{"choices":[{"delta":{"content":"x"}}]}]\n\n').deltas).toEqual([]);
    expect(read('data: {"choices":[{"delta":{"content":7}}]}\n\n').deltas).toEqual([]);
  });

  it('is each of them where a member is repeated', () => {
    const event = 'data: {"choices":[{"index":0,"delta":{"content":"one","content":"two"}}]}\n\n';
    const { data, deltas } = read(event);
    expect(deltas.map((delta) => textOfDelta(data.bytes, delta))).toEqual(['one', 'two']);
  });
});

describe('changes of an event', () => {
  it('are made at their bytes, in any order, and leave the rest', () => {
    const bytes = Buffer.from('ab é cd');
    const changes = [
      { from: 6, to: 8, text: 'CD' },
      { from: 0, to: 1, text: '' },
      { from: 3, to: 5, text: '🔑' },
      { from: 2, to: 2, text: '+' },
    ];
    expect(Buffer.from(replace(bytes, changes)).toString()).toBe('b+ 🔑 CD');
    expect(bytes.toString()).toBe('ab é cd');
  });

  it('are none: the very same bytes', () => {
    const bytes = Buffer.from('ab');
    expect(replace(bytes, [])).toBe(bytes);
  });
});
