import { expect, it } from 'vitest';
import { decodeUtf8 } from './text.ts';

const TEXT = '# Größe\r\n\r\n“Ein” Euro: 5 €';
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const WINDOWS = Buffer.concat([
  Buffer.from('# Größe\r\n\r\n', 'latin1'),
  Buffer.from([0x93, 0x45, 0x69, 0x6e, 0x94]),
  Buffer.from(' Euro: 5 '),
  Buffer.from([0x80]),
]);

it.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 behind a mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16, little end first', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16, big end first', bigEndian(`\ufeff${TEXT}`)],
  ['the code page of Windows', WINDOWS],
])('a text in %s is the same text', (_, bytes) => {
  expect(decodeUtf8(bytes)).toBe(TEXT);
});

it('an empty file is an empty text', () => {
  expect(decodeUtf8(Buffer.alloc(0))).toBe('');
});
