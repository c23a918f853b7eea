import { describe, expect, it } from 'vitest';
import { createTextStream } from '../stream/events.ts';
import { MASK, run, scanner, sse, token } from '../testing/model-events.ts';
import { TokenLists, withoutTokenLists } from './token-lists.ts';

const parts = [token.slice(0, 9), token.slice(9, 20), token.slice(20)];
const listed = (...tokens: readonly string[]): object => ({
  content: tokens.map((one) => ({ token: one, bytes: [...Buffer.from(one)], top_logprobs: [{ token: `"}]${one}` }] })),
});
const chunk = (text: string): object => ({ choices: [{ index: 0, delta: { content: text }, logprobs: listed(text) }] });
const shown = (text: string): readonly string[] => parts.filter((part) => text.includes(part));

describe('lists of tokens beside a text', () => {
  it('are emptied with any cut of the pieces, and nothing else is', () => {
    const said = 'a "logprobs":{"x": [1] } in a text';
    const json = JSON.stringify({
      said,
      choices: [{ text: 'x', logprobs: listed(...parts), more: [1] }],
      logprobs: [],
    });
    const expected = JSON.stringify({ said, choices: [{ text: 'x', logprobs: null, more: [1] }], logprobs: [] });
    expect(Buffer.from(withoutTokenLists(Buffer.from(json))).toString()).toBe(expected);
    for (const size of [1, 2, 3, 7, 50]) {
      const lists = new TokenLists();
      const pieces = json.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(pieces.map((piece) => lists.push(piece)).join('') + lists.end()).toBe(expected);
    }
  });

  it('go from the events of a masked text alone', () => {
    const { text } = run([sse(chunk('hello '), ...parts.map(chunk), chunk(' bye'), '[DONE]')]);
    expect(text).toContain('[secret:access-token]');
    expect(shown(text)).toEqual([]);
    expect(text).toContain('"token":"hello "');
  });

  it('go from a long answer, behind what was masked', () => {
    const stream = createTextStream(scanner, MASK);
    const json = JSON.stringify({ choices: [{ message: { content: `use ${token} ` }, logprobs: listed(...parts) }] });
    const bytes = [stream.push(Buffer.from(json.slice(0, 60))), stream.push(Buffer.from(json.slice(60))), stream.end()];
    const text = Buffer.concat(bytes.map((step) => step.bytes)).toString();
    expect(JSON.parse(text)).toEqual({
      choices: [{ message: { content: 'use [secret:access-token] ' }, logprobs: null }],
    });
  });
});
