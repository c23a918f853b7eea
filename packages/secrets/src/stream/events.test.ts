import { describe, expect, it } from 'vitest';
import {
  ALERT,
  assembled,
  BLOCK,
  call,
  content,
  MASK,
  run,
  scanner,
  sse,
  stop,
  token,
} from '../testing/model-events.ts';
import { createEventStream } from './events.ts';

it('reads events that nest thousands of strings very deep, byte for byte', () => {
  // Scanned from the root, with every string again, each of these events took a minute.
  const [depth, strings] = [60_000, 30_000];
  const event = `data: {"choices":${'['.repeat(depth)}${Array(strings).fill('""').join()}${']'.repeat(depth)}}\n\n`;
  const events = Buffer.from(event.repeat(15));
  expect(Buffer.from(run([events]).text).equals(events)).toBe(true);
});

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

  it('masks strings that are whole in an event, with their pointer', () => {
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

  it('passes nothing of that event’s other choices without a scan', () => {
    const both = (one: string, other: string): unknown => ({
      choices: [one, other].map((text, index) => ({ index, delta: { content: text } })),
    });
    for (const [one, other] of [
      [`use ${token} now`, `and ${token} too`],
      ['use it', `and ${token} too`],
      [`use ${token} now`, 'and that'],
    ] as const) {
      const { text, blocked } = run([sse(both(one, other))], BLOCK);
      expect(blocked).toBe(true);
      expect(text).not.toContain(token);
      expect(`${one} ${other}`.startsWith(assembled(text)['content 0'] ?? '')).toBe(true);
      expect(other.startsWith(assembled(text)['content 1'] ?? '')).toBe(true);
    }
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

  it('reads candidates, whose last event has both text and end', () => {
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

describe('what is no event of a model', () => {
  it.each([
    ['not JSON', 'data: not json at all\n\n'],
    ['several data lines', 'data: {"a":\ndata: 1}\n\n'],
    ['no data', 'event: ping\n\n'],
    ['an unfinished event', 'data: {"choices":[{"index":0,"delta":{"content":"half'],
    ['a broken string', 'data: {"choices":[{"index":0,"delta":{"content":"\\q"}}]}\n\n'],
  ])('passes unchanged: %s', (_, text) => {
    expect(run([Buffer.from(text)]).text).toBe(text);
  });

  it('is scanned as text', () => {
    expect(run([Buffer.from(`data: token is ${token}\n\n`)]).text).toBe('data: token is [secret:access-token]\n\n');
  });
});
