import { describe, expect, it } from 'vitest';
import { NARROWED } from './bytes.ts';
import { WideCharacter } from './wide-character.ts';

/** What is read of a character between two tokens, followed by another byte, and how many of its bytes that took. */
function kindOf(bytes: Uint8Array): string {
  const character = new WideCharacter(false);
  character.begin();
  for (const byte of [...bytes, 0x20]) {
    const kind = character.read(byte);
    if (kind !== 'incomplete') return kind;
  }
  return 'incomplete';
}

describe('a character outside ASCII between two tokens', () => {
  it('is a blank where JavaScript, and so JSON5, has one: all of the basic plane, and samples beyond', () => {
    const wrong: string[] = [];
    for (let code = 0x80; code <= 0x10_ffff; code += code < 0xffff ? 1 : 977) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = String.fromCodePoint(code);
      const kind = kindOf(Buffer.from(text));
      const isBlank = kind === 'blank' || kind === 'byte-order-mark';
      if (isBlank !== /\s/.test(text)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it('is a byte order mark apart from other blanks', () => {
    expect(kindOf(Buffer.from('\ufeff'))).toBe('byte-order-mark');
    expect(kindOf(Buffer.from('\u00a0'))).toBe('blank');
    expect(kindOf(Buffer.from('\u3000'))).toBe('blank');
  });

  it.each([
    ['a lead byte alone', [0xc2]],
    ['a lead byte of three alone', [0xe2]],
    ['two bytes of three', [0xe2, 0x80]],
    ['a continuation byte alone', [0xa0]],
  ])('that is cut, %s, ended before the next byte', (_, bytes) => {
    expect(kindOf(Uint8Array.from(bytes))).toBe('other-before');
  });

  it('is nothing known if it has four bytes or is overlong', () => {
    expect(kindOf(Buffer.from('😀'))).toBe('other');
    expect(kindOf(Uint8Array.from([0xe0, 0x82, 0xa0]))).toBe('other');
  });

  it('is read again from its beginning after another one', () => {
    const character = new WideCharacter(false);
    for (const expected of ['blank', 'blank']) {
      character.begin();
      expect([character.read(0xc2), character.read(0xa0)]).toEqual(['incomplete', expected]);
    }
  });

  it('is one byte where UTF-16 was narrowed', () => {
    const character = new WideCharacter(true);
    character.begin();
    const kinds = [NARROWED.other, NARROWED.blank, NARROWED.lineEnd].map((byte) => character.read(byte));
    expect(kinds).toEqual(['other', 'blank', 'blank']);
  });
});
