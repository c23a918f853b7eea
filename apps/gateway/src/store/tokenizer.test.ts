import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { countTokens as countWhole } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';
import { turnsDuring } from '../testing/turns.ts';
import { countTokens, piecesOf } from './tokenizer.ts';

const LONGEST = 256;
const PROSE =
  'The gateway counts what the provider did not report, and says so: "estimated". Größe, naïve, 42 € — done.\n';

describe('the pieces of a text', () => {
  it('together are the text, are short, and split no character', () => {
    const word = fc.oneof(fc.string({ unit: 'binary', maxLength: 700 }), fc.constantFrom('😀'.repeat(300), ' '));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const text = words.join('').toWellFormed();
        const pieces = [...piecesOf(text)];
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(LONGEST);
          expect(piece).not.toBe('');
          expect(piece.isWellFormed()).toBe(true);
        }
      }),
    );
  });
  it('are cut in linear time, at any distance to the last space', () => {
    // Looking back to the beginning at each piece would take a million million steps here: longer than a test may.
    expect([...piecesOf('x'.repeat(2 ** 25))]).toHaveLength(2 ** 17);
  });
  it('begin with a space wherever one is near, because no token continues across it', () => {
    const [, ...later] = piecesOf('words of a sentence '.repeat(100));
    expect(later.length).toBeGreaterThan(5);
    for (const piece of later) expect(piece[0]).toBe(' ');
  });
});

describe('counting tokens', () => {
  it('returns no piece for an empty text', async () => {
    expect(await countTokens('')).toBe(0);
  });
  it('gives of a short text what the vocabulary gives', async () => {
    expect(await countTokens(PROSE)).toBe(countWhole(PROSE));
  });
  it('gives of a long text that, within a hundredth', async () => {
    for (const text of [PROSE.repeat(500), '中文字符'.repeat(500), '😀'.repeat(1001), 'ab'.repeat(3000)]) {
      const [counted, whole] = [await countTokens(text), countWhole(text)];
      expect(Math.abs(counted - whole) / whole).toBeLessThan(0.01);
    }
  });
  it('takes words that look like tokens of control for words', async () => {
    expect(await countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });
  it('lets other work continue during a long text', async () => {
    expect(await turnsDuring(() => countTokens(PROSE.repeat(5000)))).toBeGreaterThan(20);
  });
  it('keeps nothing of the texts', () => {
    // A hundred prompts of a megabyte, each with a long word that no other has; the tables take 50 of the 96 MB.
    const program = `
      const { countTokens } = await import(process.argv[1]);
      for (let round = 0; round < 100; round += 1)
        await countTokens('the cat sat on a mat. '.repeat(45_000) + 'qzjxvkwbpyqz' + String.fromCharCode(97 + round % 10, 97 + round / 10));`;
    const flags = ['--max-old-space-size=96', '--input-type=module', '--eval', program];
    const ran = spawnSync(process.execPath, [...flags, new URL('./tokenizer.ts', import.meta.url).href]);
    expect(ran.stderr.toString()).toBe('');
    expect(ran.status).toBe(0);
  });
});
