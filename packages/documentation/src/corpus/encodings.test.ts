import { assert, constantFrom, property, string, uint8Array } from 'fast-check';
import { expect, it } from 'vitest';
import { decodeUtf8, parseIdentityCard } from './archive.ts';

it('a text is read as its tool wrote it: UTF-8 with and without a mark, UTF-16 with one', () => {
  assert(
    property(string({ unit: 'grapheme' }), (text) => {
      expect(decodeUtf8(Buffer.from(text))).toBe(text);
      expect(decodeUtf8(Buffer.from(`\ufeff${text}`))).toBe(text);
      expect(decodeUtf8(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(text);
      expect(decodeUtf8(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())).toBe(text);
    }),
  );
});

it('bytes in no encoding are a text, too, and never an exception', () => {
  assert(
    property(uint8Array(), (bytes) => {
      expect(typeof decodeUtf8(bytes)).toBe('string');
    }),
  );
  expect(decodeUtf8(Buffer.from('Gr\u00f6\u00dfe \u0080', 'latin1'))).toBe('Größe €');
});

it('a card is read, or its fault is one sentence that names the file, for any text', () => {
  const piece = constantFrom(
    '{"version":"1.0.0","path":"/v/1.0.0"}',
    '{"version":"1.0","path":"/v/1.0"}',
    '[]',
    'null',
    '{}',
    '',
  );
  assert(
    property(piece, string(), (card, more) => {
      for (const text of [card, `\ufeff${card}`, `${card}${more}`]) {
        const read = parseIdentityCard(text, '/docs/archive.json');
        expect('fault' in read ? read.fault : '/docs/archive.json .').toMatch(/^\/docs\/archive\.json .*\.$/);
      }
    }),
  );
});
