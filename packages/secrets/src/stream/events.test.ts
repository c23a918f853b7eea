import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScanner } from '../scanner.ts';
import { dice, draw } from '../testing/specimen.ts';
import { createEventStream } from './events.ts';
import type { Framing } from './framing.ts';

const scanner = createScanner({ key: Buffer.from('events') });
const roll = dice('events');
const token = `ghp_${draw('A-Za-z0-9', 36, roll)}`;
const MASK = { high: 'mask', medium: 'mask' } as const;
const BLOCK = { high: 'block', medium: 'block' } as const;
const ALERT = { high: 'alert', medium: 'alert' } as const;

function run(
  chunks: readonly Uint8Array[],
  responses: typeof MASK | typeof BLOCK | typeof ALERT = MASK,
  framing: Framing = 'sse',
) {
  const stream = createEventStream(scanner, responses, framing);
  const steps = [...chunks.map((chunk) => stream.push(chunk)), stream.end()];
  return {
    text: Buffer.concat(steps.map(({ bytes }) => bytes)).toString(),
    findings: steps.flatMap(({ findings }) => findings),
    blocked: steps.some(({ blocked }) => blocked),
  };
}

const sse = (...events: readonly unknown[]): Buffer =>
  Buffer.from(events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''));

it('reads events that nest thousands of strings very deep, byte for byte', () => {
  // Looked at from the root, every string again, each of these events took a minute.
  const [depth, strings] = [60_000, 30_000];
  const event = `data: {"choices":${'['.repeat(depth)}${Array(strings).fill('""').join()}${']'.repeat(depth)}}\n\n`;
  const events = Buffer.from(event.repeat(15));
  expect(Buffer.from(run([events]).text).equals(events)).toBe(true);
});

interface Chat {
  choices?: {
    index: number;
    delta: { content?: string; tool_calls?: { index: number; function: { arguments: string } }[] };
  }[];
}

/** What a client would put together of each choice and tool call. */
function assembled(text: string): { [channel: string]: string } {
  const channels: { [channel: string]: string } = {};
  for (const [, data] of text.matchAll(/^data: (\{.*\})$/gm)) {
    for (const { index, delta } of (JSON.parse(data ?? '{}') as Chat).choices ?? []) {
      channels[`content ${index}`] = (channels[`content ${index}`] ?? '') + (delta.content ?? '');
      for (const call of delta.tool_calls ?? []) {
        const name = `call ${index}.${call.index}`;
        channels[name] = (channels[name] ?? '') + call.function.arguments;
      }
    }
  }
  return channels;
}

const content = (text: string, index = 0): unknown => ({
  id: 'c',
  choices: [{ index, delta: { content: text }, finish_reason: null }],
});
const call = (text: string, index: number): unknown => ({
  id: 'c',
  choices: [{ index: 0, delta: { tool_calls: [{ index, function: { arguments: text } }] }, finish_reason: null }],
});
const stop = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

describe('chat completions', () => {
  it('passes every byte of a clean stream, at once', () => {
    const bytes = Buffer.concat([
      Buffer.from(
        ': keep-alive\r\n\r\nevent: x\r\nid: 7\r\ndata:  {"choices": [ {"index":0, "delta":{"content":"Hello, \\u00fcber "}} ]}\r\n\r\n',
      ),
      sse(content('all of you'), stop, { usage: { total_tokens: 3 } }, '[DONE]'),
    ]);
    expect(run([bytes])).toEqual({ text: bytes.toString(), findings: [], blocked: false });
    const stream = createEventStream(scanner, MASK, 'sse');
    const event = sse(content('Hello there, '));
    expect(stream.push(event).bytes).toEqual(event);
  });

  it.each(Array.from({ length: token.length - 1 }, (_, at) => at + 1))(
    'masks a secret split after %i characters',
    (at) => {
      const whole = run([sse(content(`use ${token.slice(0, at)}`), content(`${token.slice(at)} now`), stop, '[DONE]')]);
      expect(assembled(whole.text)['content 0']).toBe('use [secret:access-token] now');
      expect(whole.findings.map(({ kind, pointer }) => [kind, pointer])).toEqual([
        ['access-token', '/choices/0/delta/content'],
      ]);
      expect(whole.text).not.toContain(token.slice(4, 12));
    },
  );

  it('keeps choices and tool calls apart, and reads escapes in arguments', () => {
    const [first, second] = [token.slice(0, 20), token.slice(20)];
    const arguments_ = JSON.stringify({ a: token }).replace('ghp', '\\u0067hp');
    const { text, findings } = run([
      sse(
        content(first, 0),
        content(first, 1),
        content(second, 0),
        content('!', 1),
        ...arguments_.split('').map((letter) => call(letter, 1)),
        call('{}', 0),
        stop,
      ),
    ]);
    expect(assembled(text)).toEqual({
      'content 0': '[secret:access-token]',
      'content 1': `${first}!`,
      'call 0.0': '{}',
      'call 0.1': '{"a":"[secret:access-token]"}',
    });
    expect(findings).toHaveLength(2);
  });

  it('lets go what waited when the choice ends, in an event of the same shape before the end', () => {
    const { text } = run([sse(content('so it is ghp_abc'), stop, '[DONE]')]);
    expect(assembled(text)['content 0']).toBe('so it is ghp_abc');
    expect(text.indexOf('ghp_abc')).toBeLessThan(text.indexOf('"stop"'));
    expect(assembled(run([sse(content('cut off: sk-'))]).text)['content 0']).toBe('cut off: sk-');
  });

  it('masks strings that stand whole in an event, with their pointer', () => {
    const { text, findings } = run([sse({ choices: [], note: `see ${token}` })]);
    expect(text).toBe(`data: {"choices":[],"note":"see [secret:access-token]"}\n\n`);
    expect(findings[0]?.pointer).toBe('/note');
  });

  it('ends before the secret in block mode', () => {
    const { text, findings, blocked } = run(
      [sse(content(`use ${token.slice(0, 9)}`), content(`${token.slice(9)} now`), stop)],
      BLOCK,
    );
    expect(assembled(text)['content 0']).toBe('use ');
    expect(blocked).toBe(true);
    expect(findings).toHaveLength(1);
    expect(text).not.toContain('stop');
  });

  it('changes nothing in alert mode', () => {
    const bytes = sse(content(`use ${token.slice(0, 9)}`), content(`${token.slice(9)} now`), stop);
    const { text, findings } = run([bytes], ALERT);
    expect(text).toBe(bytes.toString());
    expect(findings).toHaveLength(1);
  });

  it.each(['a\\', 'a\\u00', 'a\ud83d', 'gh'])('lets what is half come leave at once in alert mode: %j', (half) => {
    const bytes = sse(content(half), content('b', 1), content(`p_ ${token}`), stop);
    const { text, findings } = run([bytes], ALERT);
    expect(text).toBe(bytes.toString());
    expect(findings).toHaveLength(1);
  });
});

describe('other providers', () => {
  const block = (text: string, index = 0): unknown => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'text_delta', text },
  });

  it('reads content blocks, and ends them at their stop', () => {
    const { text } = run([
      sse({ type: 'message_start' }, block(`a ${token.slice(0, 8)}`), block(token.slice(8)), block(' gh'), {
        type: 'content_block_stop',
        index: 0,
      }),
    ]);
    const texts = [...text.matchAll(/"text":"([^"]*)"/g)].map(([, piece]) => piece);
    expect(texts.join('')).toBe('a [secret:access-token] gh');
    expect(text.indexOf(' gh"')).toBeLessThan(text.indexOf('content_block_stop'));
  });

  it('reads response events: deltas, and the same text again as a whole', () => {
    const delta = (piece: string): unknown => ({
      type: 'response.output_text.delta',
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      delta: piece,
    });
    const { text, findings } = run([
      sse(delta(token.slice(0, 3)), delta(token.slice(3)), {
        type: 'response.output_text.done',
        item_id: 'm',
        output_index: 0,
        content_index: 0,
        text: token,
      }),
    ]);
    expect(text).not.toContain(token.slice(4, 12));
    expect(findings.map(({ pointer }) => pointer)).toEqual(['/output_text/0/m/0/', '/text']);
  });

  it('leaves sound alone', () => {
    const bytes = sse({ type: 'response.audio.delta', delta: 'UklGRiQAAABXQVZFZm10' });
    expect(run([bytes]).text).toBe(bytes.toString());
  });

  it('reads candidates, whose last event carries both text and end', () => {
    const candidate = (text: string, finishReason?: string): unknown => ({
      candidates: [{ index: 0, content: { parts: [{ text }] }, finishReason }],
    });
    const { text } = run([sse(candidate(`x ${token.slice(0, 30)}`), candidate(token.slice(30), 'STOP'))]);
    expect([...text.matchAll(/"text":"([^"]*)"/g)].map(([, piece]) => piece).join('')).toBe('x [secret:access-token]');
    expect(text).toContain('STOP');
  });

  it('reads lines of JSON', () => {
    const line = (piece: string, done: boolean): string => `${JSON.stringify({ message: { content: piece }, done })}\n`;
    const { text } = run(
      [Buffer.from(line(token.slice(0, 11), false) + line(token.slice(11), false) + line('', true))],
      MASK,
      'ndjson',
    );
    expect([...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('')).toBe('[secret:access-token]');
  });
});

describe('events in unusual forms', () => {
  /** Events whose JSON stands in several lines of data, with other fields between them. */
  const lined = (newline: string, ...events: readonly unknown[]): Buffer =>
    Buffer.from(
      events
        .map((event) => {
          const lines = JSON.stringify(event, null, 1).split('\n');
          return [...lines.map((line) => `data: ${line}`).toSpliced(2, 0, ': a comment', 'id: 7'), '', ''].join(
            newline,
          );
        })
        .join(''),
    );
  /** The text of the first choice, as a client reads it that knows the whole of the form. */
  const read = (text: string): string =>
    text
      .replace(/^\ufeff/, '')
      .split(/\r\n\r\n|\n\n|\r\r/)
      .map((event) => [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n'))
      .filter((data) => data !== '' && data !== '[DONE]')
      .map((data) => (JSON.parse(data) as Chat).choices?.find(({ index }) => index === 0)?.delta.content ?? '')
      .join('');

  it.each(['\n', '\r\n', '\r'])('find a secret that is cut over events of several lines of data (%j)', (newline) => {
    for (let at = 1; at < token.length; at += 1) {
      const bytes = lined(newline, content(`use ${token.slice(0, at)}`), content(`${token.slice(at)} é now`));
      const { text, findings } = run([bytes]);
      expect(read(text)).toBe('use [secret:access-token] é now');
      expect(findings).toHaveLength(1);
    }
  });

  it('find a secret behind names that are written with escapes', () => {
    const escaped = (event: unknown): string =>
      JSON.stringify(event).replace('choices', 'ch\\u006fices').replace('"content"', '"\\u0063ontent"');
    const bytes = sse(escaped(content(`use ${token.slice(0, 9)}`)), content(token.slice(9)));
    expect(read(run([bytes]).text)).toBe('use [secret:access-token]');
  });

  it('keep the order of a text whose events have one line and several', () => {
    const bytes = Buffer.concat([sse(content('a gh')), lined('\n', content('x p_ sk')), sse(content('-y b'))]);
    expect(run([bytes]).text).toBe(bytes.toString());
    const beside = Buffer.concat([sse(content('a gh'), content('b', 1)), lined('\n', content('x p_ z'))]);
    expect(read(run([beside]).text)).toBe('a ghx p_ z');
  });

  it('are read behind a byte order mark, which is written once', () => {
    const bytes = Buffer.concat([Buffer.from('\ufeff'), sse(content(token.slice(0, 9)), content(token.slice(9)))]);
    const cut = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    for (const chunks of [[bytes], cut]) expect(read(run(chunks).text)).toBe('[secret:access-token]');
    const held = run([Buffer.concat([Buffer.from('\ufeff'), sse(content('so gh'), content('x', 1))])]).text;
    expect(held.lastIndexOf('\ufeff')).toBe(0);
    expect(read(held)).toBe('so gh');
    for (const text of ['\ufeff', '\ufeffdata: x\n\n', 'data: \ufeff\n\n'])
      expect(run([Buffer.from(text)]).text).toBe(text);
  });

  it.each<[string, string]>([
    ['data: {"choices":[{"index":1,"delta":{"content":"y gl"},"x":', 'is cut off'],
    ['data: [DONE]', 'is the end'],
    [': bye', 'is a comment'],
  ])('let what waits leave before a last event that lacks its line ends (%s)', (rest) => {
    const { text } = run([Buffer.concat([sse(content('so gh'), content('x', 1)), Buffer.from(rest)])]);
    expect(text.endsWith(`\n\n${rest}`)).toBe(true);
    expect(read(text.slice(0, -rest.length))).toBe('so gh');
  });

  it('let what waits leave in the last event itself, where that carries it', () => {
    const bytes = sse(content('so gh'), content('x gl', 1), content('p sk-'));
    const { text } = run([bytes.subarray(0, -2)]);
    expect(text.endsWith(JSON.stringify(content('ghp sk-')))).toBe(true);
    expect(assembled(text)).toMatchObject({ 'content 0': 'so ghp sk-', 'content 1': 'x gl' });
    const line = (piece: string): string => JSON.stringify({ response: piece, done: false });
    const lines = `${line('a gh')}\n${JSON.stringify({ message: { content: 'b sk-' }, done: false })}\n${line('c gl')}`;
    const left = run([Buffer.from(lines)], MASK, 'ndjson')
      .text.split('\n')
      .map((one) => JSON.parse(one) as unknown);
    expect(left).toHaveLength(4);
    expect(left.at(-1)).toEqual({ response: expect.stringMatching(/c gl$/), done: false });
  });
});

describe('what is no event of a model', () => {
  it.each([
    ['not JSON', 'data: not json at all\n\n'],
    ['several data lines', 'data: {"a":\ndata: 1}\n\n'],
    ['no data', 'event: ping\n\n'],
    ['an unfinished event', 'data: {"choices":[{"index":0,"delta":{"content":"half'],
    ['a broken string', 'data: {"choices":[{"index":0,"delta":{"content":"\\q"}}]}\n\n'],
  ])('passes as it is: %s', (_, text) => {
    expect(run([Buffer.from(text)]).text).toBe(text);
  });

  it('is scanned as text', () => {
    expect(run([Buffer.from(`data: token is ${token}\n\n`)]).text).toBe('data: token is [secret:access-token]\n\n');
  });
});

describe('the cut of the bytes', () => {
  it('changes neither output nor findings', () => {
    const pieces = `I would write ${token} and password = "${draw('A-Za-z0-9', 22, roll)}" there. Or "${'é'.repeat(9)}"`;
    assert(
      property(
        array(integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 60 }),
        array(integer({ min: 0, max: 9000 }), { maxLength: 30 }),
        (sizes, places) => {
          const deltas: string[] = [];
          for (let at = 0, index = 0; at < pieces.length; index++) {
            const size = sizes[index % sizes.length] ?? 1;
            deltas.push(pieces.slice(at, at + size));
            at += size;
          }
          const bytes = sse(...deltas.map((delta) => content(delta)), stop, '[DONE]');
          const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
          const chunks = [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
          const whole = run([bytes]);
          expect(run(chunks)).toEqual(whole);
          expect(assembled(whole.text)['content 0']).toBe(
            'I would write [secret:access-token] and password = "[secret:entropy]" there. Or "ééééééééé"',
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});

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

  it('leaves its events as they came where it is no secret', () => {
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

  it('is let go without its last characters once too much waits behind it', () => {
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

  it('give the same bytes however they are cut', () => {
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
