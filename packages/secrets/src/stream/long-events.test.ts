import { array, assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALERT, assembled, BLOCK, content, MASK, run, sse, stop, token } from '../testing/model-events.ts';

/** More bytes than are collected of one event. */
const LONG = 270_000;
const words = 'words and "words" é '.repeat(LONG / 20);
const event = (text: string): unknown => ({ type: 'response.completed', response: { words, text, more: 'words' } });

const chunksOf = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
};

describe('an event that is too long to collect', () => {
  const bytes = sse(event(`use ${token} now`), '[DONE]');
  const at = bytes.indexOf(token);
  const masked = bytes.toString().replace(token, '[secret:access-token]');

  // relay-32
  it('hides no secret that the network cuts', () => {
    for (let cut = at - 1; cut <= at + token.length + 1; cut += 3) {
      const { text, findings } = run([bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect(text === masked, String(cut)).toBe(true);
      expect(findings.map(({ kind }) => kind)).toEqual(['access-token']);
    }
  });

  it('has the position of the secret in its bytes, without a member', () => {
    const [finding] = run([bytes.subarray(0, at + 9), bytes.subarray(at + 9)]).findings;
    expect(finding).toMatchObject({ start: at, end: at + token.length, pointer: null });
  });

  it('ends the answer before the secret where that blocks', () => {
    for (const cut of [at - 1, at + 3, at + token.length]) {
      const { text, blocked } = run([bytes.subarray(0, cut), bytes.subarray(cut)], BLOCK);
      expect(blocked).toBe(true);
      expect(bytes.toString().startsWith(text)).toBe(true);
      expect(text.includes(token.slice(0, 8))).toBe(false);
    }
  });

  it('leaves byte for byte where nothing is found, or findings are only reported', () => {
    const clean = sse(event('nothing, é'), '[DONE]');
    const places = array(integer({ min: 0, max: clean.length }), { maxLength: 6 });
    assert(
      property(places, constantFrom(MASK, BLOCK, ALERT), (cuts, responses) => {
        expect(run(chunksOf(clean, cuts), responses).text === clean.toString()).toBe(true);
      }),
      { numRuns: 15 },
    );
    const reported = run([bytes.subarray(0, at + 9), bytes.subarray(at + 9)], ALERT);
    expect(reported.text === bytes.toString()).toBe(true);
    expect(reported.findings).toHaveLength(1);
  });

  it('does not disturb the texts before and after it', () => {
    const events = [content(`use ${token.slice(0, 9)}`), event('nothing'), content(`${token.slice(9)} now`), stop];
    const stream = sse(...events, '[DONE]');
    const { text } = run(chunksOf(stream, [200_000, 265_000]));
    expect(assembled(text)['content 0']).toBe('use [secret:access-token] now');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('is one of lines of JSON too', () => {
    const line = Buffer.from(`${JSON.stringify(event(`use ${token} now`))}\n{"done":true}\n`);
    const cut = line.indexOf(token) + 9;
    const { text } = run([line.subarray(0, cut), line.subarray(cut)], MASK, 'ndjson');
    expect(text === line.toString().replace(token, '[secret:access-token]')).toBe(true);
  });

  it('keeps nothing back where the answer ends in its middle', () => {
    for (const rest of ['it is gh', `it is ${token}`]) {
      const cut = Buffer.from(`data: {"words":${JSON.stringify(words)},"text":"${rest}`);
      const { text } = run([cut.subarray(0, -3), cut.subarray(-3)]);
      expect(text === cut.toString().replace(token, '[secret:access-token]')).toBe(true);
    }
    const ended = Buffer.from(`data: {"words":${JSON.stringify(words)},"text":"it is gh`);
    expect(run([ended]).text === ended.toString()).toBe(true);
  });
});
