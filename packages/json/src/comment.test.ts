import { array, assert, boolean, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Comment, commentStep } from './comment.ts';
import { cut, read } from './testing/read.ts';

/** Bytes of a comment after its first solidus, up to its end; null where it does not end or is none. */
function lengthOf(text: string): number | null {
  let comment: Comment = 'begun';
  for (const [index, byte] of Buffer.from(text).entries()) {
    comment = commentStep(comment, byte, false);
    if (comment === 'ended') return index + 1;
    if (comment === 'none') return null;
  }
  return null;
}

describe('a comment', () => {
  it.each([
    ['/ x\ny', '/ x\n'],
    ['/\n', '/\n'],
    ['/ x\r\ny', '/ x\r'],
    ['/ é\u2028y', '/ é\u2028'],
    ['/ x\u2029y', '/ x\u2029'],
    ['* x */y', '* x */'],
    ['**/', '**/'],
    ['*/*/', '*/*/'],
    ['***/', '***/'],
    ['* * / \n // */', '* * / \n // */'],
  ])('that begins with /%j ends after %j', (text, comment) => {
    expect(lengthOf(text)).toBe(Buffer.byteLength(comment));
  });

  it.each(['/ to the end of the text', '* not closed *', '*/', '*', '', 'x', ' /', '/ \u2027 \u202a \u2128 \ue228'])(
    'does not end in /%j',
    (text) => expect(lengthOf(text)).toBeNull(),
  );

  it('ends where a pattern finds its end, for any text', () => {
    const pieces = array(constantFrom('*', '/', ' ', '\n', '\r', '\u2028', '\u2029', '\u2027', 'é', 'â', '\u2000'), {
      maxLength: 12,
    });
    assert(
      property(pieces, boolean(), (list, isBlock) => {
        const text = `${isBlock ? '*' : '/'}${list.join('')}`;
        const pattern = isBlock ? /^\*[^]*?\*\// : /^\/[^\n\r\u2028\u2029]*[\n\r\u2028\u2029]/;
        const comment = pattern.exec(text)?.[0];
        expect(lengthOf(text)).toBe(comment === undefined ? null : Buffer.byteLength(comment));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{/*a*/"a"/**/:/***/1/*,*/,/*}*/"b":2}/**/', ['a', 'b']],
    ['// {"x":1}\n{"a":1}', ['a']],
    ['{"a":1 # "x":2,\n}', ['a']],
    ['{"a":"/* no comment */","b":"// none"}', ['a', 'b']],
    ['{"a":1/*"x":1', ['a']],
  ])('hides what is in it and nothing else, wherever %j is divided', (text, names) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at++) {
      const { events, isStrict } = read(cut(bytes, [at]));
      const found = events.filter((event) => event.startsWith('name')).map((event) => event.split('"')[1]);
      expect([found, isStrict]).toEqual([names, text.startsWith('{"a":"/*')]);
    }
  });
});
