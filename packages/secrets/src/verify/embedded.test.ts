import { describe, expect, it } from 'vitest';
import { createScanner } from '../stream/scanner.ts';
import { MASK, run, sse } from '../testing/model-events.ts';
import { dice, draw } from '../testing/specimen.ts';

const roll = dice('embedded');
const scanner = createScanner({ key: Buffer.from('test') });
const encoded = (length: number): string => draw('A-Za-z0-9+/', length, roll);
const TOKEN = `sk${draw('A-Za-z0-9', 100, roll)}`;
const WORDS = 'components/authorization-session/handler_index/packages/gateway-relay/'.repeat(4);
const rulesIn = (text: string): readonly string[] =>
  scanner.scanBody(Buffer.from(JSON.stringify({ data: text })), 'application/json').findings.map(({ rule }) => rule);

describe('the form of a token', () => {
  it.each([
    ['a picture', `${encoded(3000)}/${TOKEN}+${encoded(3000)}`],
    ['a data URL', `data:image/png;base64,${encoded(3000)}/${TOKEN}+${encoded(3000)}`],
    ['encrypted reasoning', `${draw('A-Za-z0-9_-', 3000, roll)}-${TOKEN}-${draw('A-Za-z0-9_-', 300, roll)}`],
    ['the end of sound', `${encoded(3000)}/${TOKEN}`],
  ])('is none inside of %s', (_, text) => {
    expect(rulesIn(text)).toEqual([]);
  });

  it.each([
    ['alone', TOKEN],
    ['behind a long path', `${WORDS}${TOKEN}`],
    ['behind a hash', `sha256/${draw('a-f0-9', 64, roll)}/${TOKEN}`],
    ['behind another token', `${encoded(50)}/${TOKEN}`],
    ['behind a picture and a blank', `${encoded(3000)} ${TOKEN}`],
    ['in a list', `${encoded(3000)}\n${TOKEN}`],
  ])('is one %s', (_, text) => {
    expect(rulesIn(text)).toEqual(['sanity-token']);
  });

  it('has the same result for any division of a stream', () => {
    const event = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
    const inside = `see ${encoded(400)}/${TOKEN}+${encoded(100)} now`;
    const outside = `see ${encoded(50)}/${TOKEN}+${encoded(100)} now`;
    for (let at = 1; at < inside.length; at += 7) {
      const bytes = sse(event(inside.slice(0, at)), event(inside.slice(at)), '[DONE]');
      expect(run([bytes], MASK)).toMatchObject({ text: bytes.toString(), findings: [] });
      expect(run([sse(event(outside.slice(0, at)), event(outside.slice(at)), '[DONE]')], MASK).findings).toHaveLength(
        1,
      );
    }
  });

  it('is met nowhere in ten megabytes of pictures', () => {
    const found = Array.from({ length: 20 }, () => rulesIn(encoded(500_000))).flat();
    expect(found).toEqual([]);
  });
});
