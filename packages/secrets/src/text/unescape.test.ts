import { array, assert, constantFrom, integer, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapedQuote, hexValue, isQuote, readEscape, SINGLE_ESCAPE, UNFINISHED } from './unescape.ts';

/** Reads all escapes of a whole text; other bytes are unchanged. */
function unescaped(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const out: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== 0x5c) {
      out.push(bytes[at++] as number);
      continue;
    }
    const read = readEscape(bytes, at, bytes.length, true);
    out.push(read & 0xff);
    at += read >> 8;
  }
  return Buffer.from(out).toString('latin1');
}

const plain = array(constantFrom(...Array.from('aZ09-_/+= \n\r\t\b\f.:@')), { maxLength: 30 }).map((letters) =>
  letters.join(''),
);

describe('a text in JSON', () => {
  it('reads the same as it is, in JSON, and in JSON within JSON', () => {
    assert(
      property(plain, (text) => {
        const once = JSON.stringify(text).slice(1, -1);
        const twice = JSON.stringify(once).slice(1, -1);
        expect([unescaped(text), unescaped(once), unescaped(twice)]).toEqual([text, text, text]);
      }),
      { numRuns: 500 },
    );
  });

  it('reads the same if any of its characters are written as codes', () => {
    assert(
      property(plain, array(nat({ max: 3 }), { minLength: 30, maxLength: 30 }), (text, forms) => {
        const written = Array.from(text, (letter, at) => {
          const code = letter.charCodeAt(0).toString(16);
          const form = forms[at] ?? 0;
          if (form === 1) return `\\u${code.padStart(4, '0')}`;
          if (form === 2) return `\\\\u${code.padStart(4, '0').toUpperCase()}`;
          return form === 3 ? `\\x${code.padStart(2, '0')}` : letter;
        }).join('');
        expect(unescaped(written)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['\\u00e9', '\xff'],
    ['\\ud83d', '\xff'],
    ['\\u00g0', '\\u00g0'],
    ['\\u00', '\\u00'],
    ['\\x4', '\\x4'],
    ['\\q', '\\q'],
    ['\\', '\\'],
    ['\\\\\\\\', '\\'],
    ['\\/\\/', '//'],
    ['\\b\\f', '\b\f'],
    ['\\v\\0', '\\v\\0'],
  ])('%j reads as %j', (written, text) => {
    expect(unescaped(written)).toBe(text);
  });

  it('has quotes of each level apart from each other', () => {
    const levels = [0, 1, 3, 7].map((backslashes) => unescaped(`${'\\'.repeat(backslashes)}"`));
    expect(new Set(levels).size).toBe(4);
    for (const level of levels) expect(isQuote(level.charCodeAt(0))).toBe(true);
    expect(unescaped("\\'")).not.toBe(unescaped('\\`'));
    expect(unescaped('\\\\"')).toBe('\\"');
    expect(unescaped('\\u0022')).toBe(unescaped('\\"'));
  });
});

describe('an escape at the end of a piece', () => {
  it('is unfinished if more may follow, and read as it is otherwise', () => {
    const whole = Buffer.from('\\u0041');
    for (let end = 1; end <= whole.length; end++) {
      const isWhole = end === whole.length;
      expect([end, readEscape(whole, 0, end, false) === UNFINISHED]).toEqual([end, !isWhole]);
      expect([end, readEscape(whole, 0, end, true) & 0xff]).toEqual([end, isWhole ? 0x41 : 0x5c]);
    }
  });

  it('that can be no code is not waited for', () => {
    expect(readEscape(Buffer.from('\\u0g'), 0, 4, false)).not.toBe(UNFINISHED);
    expect(readEscape(Buffer.from('\\q'), 0, 2, false)).not.toBe(UNFINISHED);
  });

  it('takes bytes of the text and no others, for any bytes', () => {
    assert(
      property(array(constantFrom(...Buffer.from('\\\\\\ux0041nr"\'`/gé')), { maxLength: 30 }), (rest) => {
        const bytes = Uint8Array.from([0x5c, ...rest]);
        const taken = readEscape(bytes, 0, bytes.length, true) >> 8;
        expect(taken >= 1 && taken <= bytes.length).toBe(true);
        const early = readEscape(bytes, 0, bytes.length, false);
        expect(early === UNFINISHED || early === readEscape(bytes, 0, bytes.length, true)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

it('the table of single escapes says what the reader reads', () => {
  for (let mark = 0; mark < 256; mark++) {
    const read = readEscape(Uint8Array.of(0x5c, mark), 0, 2, true);
    // A second backslash continues the run.
    const isPair = read >> 8 === 2 && mark !== 0x5c;
    expect([mark, SINGLE_ESCAPE[mark]]).toEqual([mark, isPair ? read & 0xff : 0]);
  }
});

it('a digit has its value in both cases, and nothing else has one', () => {
  assert(
    property(integer({ min: 0, max: 255 }), (byte) => {
      const letter = String.fromCharCode(byte);
      expect(hexValue(byte)).toBe(/^[\da-f]$/i.test(letter) ? Number.parseInt(letter, 16) : -1);
    }),
    { numRuns: 1000 },
  );
});

it('a quote stays one of its kind at any depth', () => {
  for (const quote of [0x22, 0x27, 0x60]) {
    for (let backslashes = 1; backslashes < 40; backslashes += 2)
      expect(isQuote(escapedQuote(quote, backslashes))).toBe(true);
  }
  for (const byte of [0, 6, 0x20, 0x5c, 0x61]) expect(isQuote(byte)).toBe(false);
});
