import { readFileSync, writeFileSync } from 'node:fs';
import { STEP_BITS, SYMBOLS, symbolOf, trigramIndex } from '@gateway/secrets/trigram';
import { textFiles } from './benign.ts';

/**
 * Learns how surprising a letter is after two others in ordinary source text and prose, and writes the table that
 * `packages/secrets/src/verify/cross-entropy-table.ts` carries. Every distinct word counts by the logarithm of its frequency,
 * so that a word repeated a million times does not drown the language.
 *
 * Usage: node bench/src/secrets/train-cross-entropy.ts DIRECTORY... > packages/secrets/src/verify/cross-entropy-table.ts
 */
const words = new Map<string, number>();
for (const directory of process.argv.slice(2)) {
  for (const file of textFiles(directory)) {
    for (const [word] of readFileSync(file, 'latin1').matchAll(/[A-Za-z][A-Za-z0-9]{1,24}/g)) {
      words.set(word, (words.get(word) ?? 0) + 1);
    }
  }
}

const counts = new Float64Array(SYMBOLS ** 3);
for (const [word, seen] of words) {
  if (seen < 3) continue;
  const weight = Math.log2(seen);
  let [first, second] = [0, 0];
  for (const character of `${word}.`) {
    const third = symbolOf(character.charCodeAt(0));
    const index = trigramIndex(first, second, third);
    counts[index] = (counts[index] ?? 0) + weight;
    [first, second] = [second, third];
  }
}

const quantised: number[] = [];
for (let context = 0; context < SYMBOLS ** 2; context++) {
  const row = counts.subarray(context * SYMBOLS, (context + 1) * SYMBOLS);
  const total = row.reduce((sum, count) => sum + count, 0);
  for (const count of row) {
    const bits = -Math.log2((count + 0.3) / (total + 0.3 * SYMBOLS));
    quantised.push(Math.min(15, Math.round(bits / STEP_BITS)));
  }
}

const packed = Buffer.alloc(quantised.length / 2);
packed.forEach((_, at) => {
  packed[at] = ((quantised[2 * at] ?? 0) << 4) | (quantised[2 * at + 1] ?? 0);
});
const lines = packed.toString('base64').match(/.{1,112}/g) ?? [];
writeFileSync(
  1,
  [
    '/** Learned by bench/src/secrets/train-cross-entropy.ts; four bits a trigram, in the order of `trigramIndex`. */',
    'export const CROSS_ENTROPY_TABLE = [',
    ...lines.map((line) => `  '${line}',`),
    "].join('');",
    '',
  ].join('\n'),
);
