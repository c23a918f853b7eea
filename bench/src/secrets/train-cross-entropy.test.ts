import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STEP_BITS, SYMBOLS, symbolOf, trigramIndex } from '@gateway/secrets/trigram';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'bench-train-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The bits of every trigram that the program learns from these texts, and the module that it writes. */
function learned(name: string, texts: Readonly<Record<string, string>>) {
  const directory = join(folder, name);
  mkdirSync(directory);
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(directory, file), text);
  const program = `${import.meta.dirname}/train-cross-entropy.ts`;
  const ran = spawnSync(process.execPath, [program, directory], { encoding: 'utf8' });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  const base64 = [...ran.stdout.matchAll(/^ {2}'([^']+)',$/gm)].map(([, line]) => line).join('');
  const packed = Buffer.from(base64, 'base64');
  const bitsOf = (trigram: string): number => {
    const [first = 0, second = 0, third = 0] = Array.from(trigram, (letter) =>
      letter === '^' ? 0 : symbolOf(letter.charCodeAt(0)),
    );
    const index = trigramIndex(first, second, third);
    const byte = packed[index >> 1] ?? 0;
    return (index % 2 === 0 ? byte >> 4 : byte & 15) * STEP_BITS;
  };
  return { text: ran.stdout, bytes: packed.length, bitsOf };
}

describe('the table of trigrams', () => {
  const { text, bytes, bitsOf } = learned('words', {
    'a.md': 'the gateway the gateway the gateway '.repeat(50),
    'b.ts': 'const gateway = the(gateway); rare rare',
    'picture.png': 'xqz xqz xqz xqz xqz xqz',
  });

  it('is a module with four bits for every trigram', () => {
    expect(bytes).toBe(Math.ceil(SYMBOLS ** 3 / 2));
    expect(text).toMatch(
      /^\/\*\* Learned by bench\/src\/secrets\/train-cross-entropy\.ts;.*\nexport const CROSS_ENTROPY_TABLE = \[\n/,
    );
    expect(text.endsWith("].join('');\n")).toBe(true);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(125);
  });

  it('finds letters of frequent words less surprising than others', () => {
    expect(bitsOf('gat')).toBeLessThan(bitsOf('gaq'));
    expect(bitsOf('tew')).toBeLessThan(bitsOf('tez'));
    expect(bitsOf('^th')).toBeLessThan(bitsOf('^tq'));
  });

  it('learns nothing from words that are there once or twice, nor from what is no text', () => {
    expect(bitsOf('rar')).toBe(bitsOf('raz'));
    expect(bitsOf('xqz')).toBe(bitsOf('xqa'));
  });

  it('is the same whatever files the words are in, and whatever their order', () => {
    const again = learned('other', {
      'one.txt': `${'gateway the '.repeat(150)} const rare`,
      'two.txt': 'gateway the gateway rare',
    });
    expect(again.text).toBe(text);
  });
});
