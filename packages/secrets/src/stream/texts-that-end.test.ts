import { describe, expect, it } from 'vitest';
import { assembled, BLOCK, content, MASK, run, sse, token } from '../testing/model-events.ts';

const MASKED = 'use [secret:access-token] now';
const USAGE = { choices: [], usage: { prompt_tokens: 1 } };

/** An event of a choice with a finish reason, even if it is meaningless. */
const finishing = (text: string, reason: unknown, index = 0): unknown => ({
  id: 'c',
  choices: [{ index, delta: { content: text }, finish_reason: reason }],
});
const candidate = (text: string): unknown => ({
  candidates: [{ index: 0, content: { parts: [{ text }] }, finishReason: 'STOP' }],
});
const spoken = (text: string): string =>
  [...text.matchAll(/"(?:text|content)":"([^"]*)"/g)].map(([, piece]) => piece).join('');

describe('a text whose events all have a finish reason', () => {
  it.each<[string, (text: string) => unknown]>([
    ['"" as the reason of a choice', (text) => finishing(text, '')],
    ['false', (text) => finishing(text, false)],
    ['"null"', (text) => finishing(text, 'null')],
    ['"stop"', (text) => finishing(text, 'stop')],
    ['"STOP" of a candidate', candidate],
  ])('hides no secret that is split over them: %s', (_, event) => {
    for (let at = 1; at < token.length; at += 1) {
      const pieces = [`use ${token.slice(0, at)}`, `${token.slice(at)} now`];
      const bytes = sse(...pieces.map(event), '[DONE]');
      expect(spoken(run([bytes]).text), String(at)).toBe(MASKED);
      const stopped = run([bytes], BLOCK);
      expect([spoken(stopped.text), stopped.blocked]).toEqual(['use ', true]);
    }
  });

  it('hides none beside other choices', () => {
    const both = (one: string, other: string): unknown => ({
      choices: [one, other].map((text, index) => ({ index, delta: { content: text }, finish_reason: 'stop' })),
    });
    const { text } = run([sse(both(`use ${token.slice(0, 9)}`, 'gh'), both(`${token.slice(9)} now`, 'ost'), '[DONE]')]);
    expect(assembled(text)).toEqual({ 'content 0': MASKED, 'content 1': 'ghost' });
  });
});

describe('a text that ends in the event with the finish reason', () => {
  it.each<[string, readonly unknown[]]>([
    ['by the end of the stream', []],
    ['by [DONE]', ['[DONE]']],
    ['by an event of usage', [USAGE, '[DONE]']],
    ['by another choice', [content('more', 1), '[DONE]']],
  ])('leaves byte for byte, last word and all: %s', (_, after) => {
    const bytes = sse(content('so it'), finishing(' is ghp_abc', 'stop'), ...after);
    expect(run([bytes]).text).toBe(bytes.toString());
    expect(run([sse(content('it is '), content('gh'), finishing('', 'stop'), ...after)]).text).toBe(
      sse(content('it is '), content('gh'), finishing('', 'stop'), ...after).toString(),
    );
  });

  it('is masked there, and no event comes after the end', () => {
    const bytes = sse(content(`use ${token.slice(0, 9)}`), finishing(token.slice(9), 'stop'), USAGE, '[DONE]');
    const { text } = run([bytes]);
    expect(spoken(text)).toBe('use [secret:access-token]');
    expect(text.endsWith(sse(USAGE, '[DONE]').toString())).toBe(true);
    expect(text.match(/"finish_reason":"stop"/g)).toHaveLength(1);
  });

  it('is one of lines of JSON too', () => {
    const line = (piece: string, done: boolean): string => `${JSON.stringify({ message: { content: piece }, done })}\n`;
    const bytes = Buffer.from(line('so it is ', false) + line('gh', true));
    expect(run([bytes], MASK, 'ndjson').text).toBe(bytes.toString());
  });
});
