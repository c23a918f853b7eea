import { array, assert, constantFrom, dictionary, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../scan/response.ts';
import { MASK, run, scanner, sse, token } from '../testing/model-events.ts';
import {
  channelOf,
  dataOf,
  decoded,
  deltasOf,
  findEndedBy,
  isDone,
  literalOf,
  parse,
  replace,
  textOfDelta,
} from './event.ts';
import { createEventStream } from './events.ts';

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

const chat = (delta: unknown): unknown => ({ choices: [{ index: 0, delta, finish_reason: null }] });

/** Each a text that continues from event to event. */
const TEXTS: readonly [string, (text: string) => unknown][] = [
  ['the content of a choice', (text) => chat({ content: text })],
  ['parts of its content', (text) => chat({ content: [{ type: 'text', text }] })],
  ['its reasoning', (text) => chat({ reasoning_content: text })],
  ['parts of its reasoning', (text) => chat({ reasoning_details: [{ type: 'reasoning.text', index: 0, text }] })],
  ['summaries of it', (text) => chat({ reasoning_details: [{ type: 'reasoning.summary', index: 0, summary: text }] })],
  ['reasoning as content', (text) => chat({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] })],
  ['blocks of thinking', (text) => chat({ thinking_blocks: [{ type: 'thinking', thinking: text }] })],
  ['arguments of a tool', (text) => chat({ tool_calls: [{ index: 0, function: { arguments: text } }] })],
  ['the input of a custom tool', (text) => chat({ tool_calls: [{ index: 0, custom: { input: text } }] })],
  ['a completion', (text) => ({ choices: [{ index: 0, text }] })],
  ['a completion of llama.cpp', (text) => ({ index: 0, content: text, stop: false })],
  ['the token of a text generation', (text) => ({ index: 1, token: { id: 5, text }, generated_text: null })],
  ['a transcription', (text) => ({ type: 'transcript.text.delta', delta: text })],
  ['a message of LM Studio', (text) => ({ type: 'message.delta', content: text })],
  ['the reasoning of LM Studio', (text) => ({ type: 'reasoning.delta', content: text })],
  ['a content delta', (text) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } })],
  [
    'one of thinking',
    (thinking) => ({ type: 'content-delta', index: 0, delta: { message: { content: { thinking } } } }),
  ],
  [
    'one of a tool call',
    (text) => ({
      type: 'tool-call-delta',
      index: 0,
      delta: { message: { tool_calls: { function: { arguments: text } } } },
    }),
  ],
];

describe('texts of streams', () => {
  // relay-32
  it.each(TEXTS)('hide no secret that is split over their events: %s', (_, event) => {
    const mark = '-here-';
    const [before = '', after = ''] = JSON.stringify(event(mark)).split(mark);
    for (let at = 1; at < token.length; at += 1) {
      const { text } = run([sse(event(`use ${token.slice(0, at)}`), event(`${token.slice(at)} now`), '[DONE]')]);
      const spoken = text
        .split('\n\n')
        .filter((line) => line.startsWith(`data: ${before}`))
        .map((line) => line.slice(`data: ${before}`.length, -after.length));
      expect(spoken.join(''), String(at)).toBe('use [secret:access-token] now');
    }
  });

  it.each<[string, (text: string) => unknown]>([
    ['identifiers', (id) => chat({ tool_calls: [{ index: 0, id, type: 'function' }] })],
    ['signatures', (signature) => chat({ thinking_blocks: [{ type: 'thinking', signature }] })],
    ['the whole message', (content) => ({ choices: [{ index: 0, message: { content } }] })],
    ['the content of anything', (content) => ({ content })],
    ['the content of any event', (content) => ({ type: 'message', content })],
  ])('are none of these, which leave immediately: %s', (_, event) => {
    const bytes = sse(event('it is ghp_'));
    expect(createEventStream(scanner, MASK, 'sse').push(bytes).bytes).toEqual(bytes);
  });
});

describe('the name of a text', () => {
  const nameOf = (event: unknown, ...path: (string | number)[]) => channelOf(event, path);

  it('has the index that the provider sends, or the position', () => {
    const choice = (index: unknown) => ({ choices: [{}, { index, delta: { content: 'x' } }] });
    const path = ['choices', 1, 'delta', 'content'];
    expect(nameOf(choice(7), ...path)).toBe('/choices/7/delta/content');
    expect(nameOf(choice('b'), ...path)).toBe('/choices/b/delta/content');
    for (const none of [undefined, null, {}, true])
      expect(nameOf(choice(none), ...path)).toBe('/choices/1/delta/content');
  });

  it('tells tool calls of one choice apart, by their own index', () => {
    const event = { choices: [{ delta: { tool_calls: [{ index: 3, function: { arguments: 'x' } }] } }] };
    expect(nameOf(event, 'choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments')).toBe(
      '/choices/0/delta/tool_calls/3/function/arguments',
    );
  });

  it('tells items and parts of a response apart', () => {
    const delta = (more: object) => ({ type: 'response.output_text.delta', delta: 'x', ...more });
    const names = [{}, { item_id: 'a' }, { item_id: 'b' }, { item_id: 'a', content_index: 1 }, { output_index: 1 }];
    expect(new Set(names.map((more) => nameOf(delta(more), 'delta'))).size).toBe(names.length);
  });

  it('tells thoughts of a candidate from its text', () => {
    const event = { candidates: [{ content: { parts: [{ text: 'x', thought: true }, { text: 'y' }] } }] };
    expect(nameOf(event, 'candidates', 0, 'content', 'parts', 0, 'text')).toBe('/candidates/0/thought');
    expect(nameOf(event, 'candidates', 0, 'content', 'parts', 1, 'text')).toBe('/candidates/0/text');
  });

  it('is none for a string that is nested deeper than any text', () => {
    const path = ['choices', 0, 'delta', ...Array.from({ length: 6 }, () => 'a'), 'content'];
    expect(nameOf({}, ...path)).toBeNull();
  });
});

describe('the texts that an event ends', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['a choice that finishes', { choices: [{ index: 2, finish_reason: 'stop' }] }, ['/choices/2/']],
    ['one without an index', { choices: [{}, { finish_reason: 'length' }] }, ['/choices/1/']],
    ['none that goes on', { choices: [{ finish_reason: null }, { finish_reason: '' }] }, []],
    ['a candidate', { candidates: [{ finishReason: 'STOP' }] }, ['/candidates/0/']],
    ['a content block', { type: 'content_block_stop', index: 1 }, ['/content/1']],
    ['a content', { type: 'content-end', index: 0 }, ['/content/0']],
    ['a message', { type: 'message.end' }, ['/message/']],
    ['reasoning', { type: 'reasoning.end' }, ['/reasoning/']],
    ['one text of a response', { type: 'response.output_text.done', item_id: 'm' }, ['/output_text//m//']],
    ['a transcript', { type: 'transcript.text.done' }, ['/transcript.text////']],
    ['nothing of a response', { type: 'response.created' }, []],
    ['all, with the response', { type: 'response.completed' }, ['']],
    ['all, with one that is cut off', { type: 'response.incomplete' }, ['']],
    ['all, with one that fails', { type: 'response.failed' }, ['']],
    ['all, with the message', { type: 'message_stop' }, ['']],
    ['all, with the last line', { done: true }, ['']],
    ['nothing, with another line', { done: false }, []],
    ['all, with the chat', { type: 'chat.end' }, ['']],
    ['nothing', { choices: 'none', type: 7 }, []],
  ])('%s', (_, event, ended) => {
    expect(findEndedBy(event)).toEqual(ended);
  });

  it.each([null, undefined, 7, 'text', []])('are none of %j', (event) => {
    expect(findEndedBy(event)).toEqual([]);
  });

  it('have the names that the deltas before gave them', () => {
    const delta = { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 1, delta: 'x' };
    expect(findEndedBy({ ...delta, type: 'response.output_text.done' })).toEqual([channelOf(delta, ['delta'])]);
    const transcript = { type: 'transcript.text.delta', delta: 'x' };
    expect(findEndedBy({ type: 'transcript.text.done' })).toEqual([channelOf(transcript, ['delta'])]);
  });
});
