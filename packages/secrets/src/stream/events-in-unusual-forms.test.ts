import { array, assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembled, type Chat, content, MASK, roll, run, sse, stop, token } from '../testing/model-events.ts';
import { draw } from '../testing/specimen.ts';

describe('events in unusual forms', () => {
  /** Events whose JSON spans several lines of data, with other fields between them. */
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
  /** The text of the first choice, as a client with full support of the form reads it. */
  const read = (text: string): string =>
    text
      .replace(/^\ufeff/, '')
      .split(/\r\n\r\n|\n\n|\r\r/)
      .map((event) => [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n'))
      .filter((data) => data !== '' && data !== '[DONE]')
      .map((data) => (JSON.parse(data) as Chat).choices?.find(({ index }) => index === 0)?.delta.content ?? '')
      .join('');

  it.each(['\n', '\r\n', '\r'])('find a secret that is split over events of several lines of data (%j)', (newline) => {
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

  it.each(['data: {"choices":\ndata: []}', 'data: a\ndata: ', 'data: a\rdata: b'])(
    'are read where the last of several lines of data lacks its end (%j)',
    (rest) => {
      const bytes = Buffer.concat([sse(content('x')), Buffer.from(rest)]);
      expect(run([bytes]).text).toBe(bytes.toString());
      const secret = Buffer.from(`data: {"choices":[{"index":0,"delta":\ndata: {"content":"${token}"}}]}`);
      expect(read(run([secret]).text)).toBe('[secret:access-token]');
    },
  );

  it.each<[string, string]>([
    ['data: {"choices":[{"index":1,"delta":{"content":"y gl"},"x":', 'is cut off'],
    ['data: [DONE]', 'is the end'],
    [': bye', 'is a comment'],
  ])('release delayed text before a last event without line ends (%s)', (rest) => {
    const { text } = run([Buffer.concat([sse(content('so gh'), content('x', 1)), Buffer.from(rest)])]);
    expect(text.endsWith(`\n\n${rest}`)).toBe(true);
    expect(read(text.slice(0, -rest.length))).toBe('so gh');
  });

  it('release delayed text in the last event itself, where that can contain it', () => {
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
