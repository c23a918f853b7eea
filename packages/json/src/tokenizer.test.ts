import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NARROWED } from './bytes.ts';
import { cut, PIECES, read } from './testing/read.ts';
import { JsonTokenizer, WideCharacter } from './tokenizer.ts';

const readText = (text: string) => read([Buffer.from(text)]);

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString().replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

const isOneText = (bytes: Uint8Array): boolean => {
  const { values, isStrict } = read([bytes]);
  return isStrict && values === 1;
};

describe('what is JSON as RFC 8259 has it', () => {
  it.each([
    '{}',
    ' {"a":1} \n',
    '{"a":[{}, [], [[1]], "x", -0.5e+3, null, true, false]}',
    '\ufeff {"a":1}',
    ' \ufeff{"a":1}',
    '{"\\u0041\\n\\/":"\\ud800"}',
    '"model"',
    '-1.0E-7',
    'null',
  ])('%j is', (text) => expect(isOneText(Buffer.from(text))).toBe(true));

  it('is what JSON.parse takes, for generated documents, whole, cut and damaged', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.integer({ min: 0, max: 255 }), fc.boolean(), (text, place, byte, insert) => {
        const whole = Buffer.from(`{"k":${text},"l":[${text}]}`);
        expect(isOneText(whole)).toBe(true);
        const at = place % whole.length;
        const damaged = Buffer.concat([
          whole.subarray(0, at),
          Buffer.from([byte]),
          whole.subarray(insert ? at : at + 1),
        ]);
        for (const bytes of [damaged, whole.subarray(0, at)]) expect(isOneText(bytes)).toBe(isJson(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it('is what JSON.parse takes, for texts of the pieces JSON is made of', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }), fc.boolean(), (pieces, inObject) => {
        const bytes = Buffer.from(inObject ? `{${pieces.join('')}}` : pieces.join(''));
        if (/^\s+\ufeff/.test(bytes.toString())) return; // a mark behind blanks
        expect(isOneText(bytes)).toBe(isJson(bytes));
      }),
      { numRuns: 10_000 },
    );
  });

  it('is what JSON.parse accepts, for every byte at every position of a string', () => {
    for (let place = 0; place < 13; place += 1)
      for (let byte = 0; byte < 256; byte += 1) {
        const body = Buffer.from(`{"k":"${'x'.repeat(13)}","m":1}`);
        body[6 + place] = byte;
        expect(isOneText(body), `${byte} at ${place}`).toBe(isJson(body));
      }
  });
});

describe('what is read', () => {
  it('is the same for any division of the bytes', () => {
    const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 });
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(), { maxLength: 5 }), (list, places) => {
        const bytes = Buffer.from(`{"a":[1,"\\u00e9x"],${list.join('')}`);
        const whole = read([bytes]);
        expect(read(cut(bytes, places))).toEqual(whole);
        expect(read(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(whole);
      }),
      { numRuns: 3000 },
    );
  });

  it('is reported with offsets and depths', () => {
    expect(readText('{"a" : ["x",-1] ,"b":{}}').events).toEqual([
      'open { 0 0',
      'name "a" 1 4 1',
      'open [ 7 1',
      'string 8 11 2',
      'comma 2',
      'number 12 14 2',
      'close ] 14 1',
      'comma 1',
      'name "b" 17 20 1',
      'open { 21 1',
      'close } 22 1',
      'close } 23 0',
    ]);
  });

  it.each([
    '{"a":NaN,"b":-Infinity,"c":Infinity,"d":undefined,"e":TRUE}',
    '{"a":01,"b":.5,"c":5.,"d":+1,"e":0x1F}',
    '{"a":1,}',
    '{"a":[1,],"b":[,1],"c":[1,,2]}',
    '{"a":1,,"b":2}',
    '{"a":1 "b":[1 "x" 2]}',
    '{"a":1, // } "\n"b":2}',
    '{"a":1, // \u2028"b":2}',
    '{"a":1, # }\r"b":2}',
    '{"a"/* : " */:/**/1/* **/}',
    '{"a":"x\ny\u0000"}',
    '{"a":\'x"y\\\'z\'}',
    '{"a":"\\x41\\q\\\n"}',
    '{\u00a0"a"\u2003:\v1\f\ufeff}',
    '// {\n{"a":1}',
    '\ufeff\ufeff{"a":1}',
  ])('takes %j, which RFC 8259 does not', (text) => {
    const { values, isStrict, events } = readText(text);
    expect([values, isStrict, events.at(-1)?.startsWith('close } ')]).toEqual([1, false, true]);
  });

  it.each([
    '',
    ' ',
    '{',
    '{"a"',
    '{"a"}',
    '{"a":}',
    '{"a":1',
    '{"a":"x}',
    '{"a":"x\\"}',
    '{"a":[1}',
    '{"a":1]',
    "{'a':1}",
    '{a:1}',
    '{"b":{a:1}}',
    '{"a":1/}',
    '{"a":1/*}',
    '{"a":1\u0000}',
    '}',
    ',{}',
    "'a'",
    '/',
    'é{}',
  ])('is nothing of %j', (text) => {
    const { values, isStrict } = readText(text);
    expect([values, isStrict]).toEqual([0, false]);
  });

  it.each([
    ['{"a":1} x', ['{']],
    ['{"a":1}{}', ['{', '{']],
    ['{"a":1}\n[1]\n{}', ['{', '[', '{']],
    ['{"a":1}\u0000', ['{']],
    ['{"a":1} it\'s\n{}', ['{', '{']],
    ['{"a":1},{"b":2};]}é:', ['{', '{']],
    ['{"a":1} {x} {} \n{}', ['{', '{']],
    ['{"a":1} // {}\n{}', ['{', '{']],
    ['{"a":1} {"b"', ['{']],
  ])('continues after the first value of %j', (text, opened) => {
    const { events, isStrict } = readText(text);
    expect(isStrict).toBe(false);
    const whole = events.filter((event) => /^close . \d+ 0$/.test(event)).map((event) => event[6]);
    expect(whole).toEqual(opened.map((bracket) => (bracket === '{' ? '}' : ']')));
  });

  it.each([
    ['model', 'model'],
    ['mod\\u0065l', 'model'],
    ['\\u006D\\x6f\\del', 'model'],
    ['mo\\\ndel', 'model'],
    ['mo\\\r\ndel', 'model'],
    ['mo\\\u2028del', 'model'],
    ['\\ud83d\\ude00é', '😀é'],
    ['a\\"b\\\\', 'a"b\\'],
    ['\\u00', '\\u00'],
  ])('decodes the name "%s", also where it is cut', (written, name) => {
    const bytes = Buffer.from(`{"${written}":1}`);
    for (const parts of [[bytes], Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))]) {
      const reported = read(parts).events.find((event) => event.startsWith('name')) ?? '';
      // An escape that is cut short by the end of its name is left out.
      expect(reported).toContain(` ${JSON.stringify(written === '\\u00' ? '' : name)} `);
    }
  });

  it('cuts long names', () => {
    for (const filler of ['x', '\\u0078', '\\\n']) {
      const bytes = Buffer.from(`{"m${filler.repeat(70_000)}odel":1}`);
      const name = filler === '\\\n' ? 'model' : `m${'x'.repeat(255)}`;
      for (const parts of [[bytes], cut(bytes, [100, 3000])]) {
        expect(read(parts).events).toContain(`name "${name}" 1 ${bytes.length - 3} 1`);
      }
    }
  });

  it('survives a million nested levels', () => {
    const levels = 1_000_000;
    const deep = Buffer.from(`{"a":${'[{"b":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}}`);
    let deepest = 0;
    const tokenizer = new JsonTokenizer({
      open: (_isObject, _at, depth) => {
        deepest = Math.max(deepest, depth);
      },
    });
    tokenizer.push(deep);
    tokenizer.end();
    expect([tokenizer.values, tokenizer.isStrict, deepest]).toEqual([1, true, levels]);
  });

  it('ends where it is stopped', () => {
    const names: string[] = [];
    const tokenizer = new JsonTokenizer({
      name() {
        names.push(tokenizer.name);
        if (names.length === 2) tokenizer.stop();
      },
    });
    tokenizer.push(Buffer.from('{"a":{"b":1},"c":2}'));
    expect([names, tokenizer.isStopped]).toEqual([['a', 'b'], true]);
    const opened: number[] = [];
    const other = new JsonTokenizer({
      open(_isObject, at) {
        opened.push(at);
        other.stop();
      },
    });
    other.push(Buffer.from('[[[1]]]'));
    expect(opened).toEqual([0]);
  });
});

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
