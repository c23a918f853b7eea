import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { precompress } from './precompress.ts';

const folder = mkdtempSync(join(tmpdir(), 'precompress-'));
const text = '<p>The same words, again and again.</p>\n'.repeat(200);

beforeAll(async () => {
  mkdirSync(join(folder, 'guide'));
  writeFileSync(join(folder, 'guide/page.html'), text);
  writeFileSync(join(folder, 'short.html'), 'short');
  writeFileSync(join(folder, 'font.woff2'), Buffer.alloc(5000));
  await precompress(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('both encodings of a text decode to it, and are smaller', () => {
  const [br, gz] = ['.br', '.gz'].map((extension) => readFileSync(join(folder, `guide/page.html${extension}`)));
  expect(brotliDecompressSync(br!).toString()).toBe(text);
  expect(gunzipSync(gz!).toString()).toBe(text);
  expect(Math.max(br!.length, gz!.length)).toBeLessThan(text.length);
});

it.each(['short.html.br', 'short.html.gz', 'font.woff2.br', 'font.woff2.gz'])('%s is not made', (name) => {
  expect(existsSync(join(folder, name))).toBe(false);
});
