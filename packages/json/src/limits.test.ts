import { describe, expect, it } from 'vitest';
import { cut, read } from './testing/read.ts';
import { JsonTokenizer } from './tokenizer.ts';

const MEGABYTE = 2 ** 20;
const kinds = (text: string): string[] => read([Buffer.from(text)]).events.map((event) => event.split(' ')[0] ?? '');

describe('a text that is not finished', () => {
  const TEXT = ' {"a":[1,"x",{"b":null}],"c":-1.5e3} ';

  it('is strict at each of its bytes, and whole only at the end', () => {
    const tokenizer = new JsonTokenizer({});
    for (const byte of Buffer.from(TEXT)) {
      tokenizer.push(Uint8Array.of(byte));
      expect(tokenizer.isStrict).toBe(true);
    }
    tokenizer.end();
    expect([tokenizer.values, tokenizer.isStrict, tokenizer.isStopped]).toEqual([1, true, true]);
  });

  it('is broken at its end, wherever it is cut, and counts as no value', () => {
    for (let length = 2; length < TEXT.trimEnd().length; length++) {
      const { events, values, isStrict } = read([Buffer.from(TEXT.slice(0, length))]);
      expect([events.at(-1), values, isStrict]).toEqual([`broken ${length}`, 0, false]);
    }
  });

  it('is a value if it is a number or word alone', () => {
    expect(read([Buffer.from('12')])).toEqual({ events: ['number 0 2 0'], values: 1, isStrict: true });
    expect(read([Buffer.from('nul')])).toEqual({ events: ['other 0 3 0'], values: 1, isStrict: false });
  });
});

describe('input after the end', () => {
  it('is ignored, and a second end changes nothing', () => {
    const events: string[] = [];
    const tokenizer = new JsonTokenizer({ open: () => events.push('open'), broken: () => events.push('broken') });
    tokenizer.push(Buffer.from('{}'));
    tokenizer.end();
    tokenizer.push(Buffer.from('{}['));
    tokenizer.end();
    expect([events, tokenizer.values, tokenizer.isStrict]).toEqual([['open'], 1, true]);
  });

  it('is ignored after a stop, also in the middle of a string', () => {
    const found: number[] = [];
    const tokenizer = new JsonTokenizer({ string: (from) => found.push(from) });
    tokenizer.push(Buffer.from('["a","b'));
    tokenizer.stop();
    tokenizer.push(Buffer.from('","c"]'));
    tokenizer.end();
    expect([found, tokenizer.values]).toEqual([[1], 0]);
  });
});

describe('a large text', () => {
  it('has exact offsets beyond its first megabytes', () => {
    const long = 'x'.repeat(3 * MEGABYTE);
    const bytes = Buffer.from(`{"a":"${long}","b":7}`);
    const parts = cut(
      bytes,
      Array.from({ length: 40 }, (_, at) => at * 99_991),
    );
    expect(read(parts).events).toEqual([
      'open { 0 0',
      'name "a" 1 4 1',
      `string 5 ${long.length + 7} 1`,
      'comma 1',
      `name "b" ${long.length + 8} ${long.length + 11} 1`,
      `number ${long.length + 12} ${long.length + 13} 1`,
      `close } ${long.length + 13} 0`,
    ]);
  });

  it('may be a number, a comment or blanks of megabytes', () => {
    const { events, isStrict } = read([Buffer.from(`[${'9'.repeat(MEGABYTE)}]`)]);
    expect([events[1], isStrict]).toEqual([`number 1 ${MEGABYTE + 1} 1`, true]);
    expect(kinds(`[${' \n'.repeat(MEGABYTE)}]`)).toEqual(['open', 'close']);
    expect(kinds(`[/*${'*'.repeat(MEGABYTE)}*/]`)).toEqual(['open', 'close']);
  });

  it('may have many members and elements', () => {
    const many = 100_000;
    const tokens = kinds(`{"a":[${'1,'.repeat(many)}1],${'"b":{},'.repeat(many)}"c":1}`);
    const count = (kind: string): number => tokens.filter((token) => token === kind).length;
    expect([count('number'), count('name'), count('comma')]).toEqual([many + 2, many + 2, 2 * many + 1]);
  });
});

describe('a value that cannot be read', () => {
  it.each([
    ['{"a":1}\n{"b":}\n{"c":1}', '{"a":1}\n{"b":'],
    ['{"a":1}\n{"b":[1}\n{"c":1}', '{"a":1}\n{"b":[1'],
    ['[1]\n{b:1}\n{"c":1}', '[1]\n{'],
    ['[1]\n["x" : 2]\n{"c":1}', '[1]\n["x" '],
  ])('is reported once, and the next line of %j is read', (text, readable) => {
    const { events, isStrict } = read([Buffer.from(text)]);
    expect(events.filter((event) => event.startsWith('broken'))).toEqual([`broken ${readable.length}`]);
    expect(events.some((event) => event.startsWith('name "c"'))).toBe(true);
    expect(isStrict).toBe(false);
  });

  it('takes the rest of its line with it', () => {
    expect(read([Buffer.from('[1]\n{b} {"x":1}\n{"c":1}')]).events.filter((event) => event.startsWith('name'))).toEqual(
      ['name "c" 17 20 1'],
    );
  });
});
