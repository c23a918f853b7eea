import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventLike, likenessOf, visitAlike } from './alike.ts';

const BEFORE = 'data: {"delta":"';
const AFTER = '"}\n\n';
const likeness = likenessOf(Buffer.from(BEFORE), Buffer.from(AFTER));
const event = (literal: string): string => BEFORE + literal + AFTER;

interface Seen {
  readonly literals: readonly string[];
  readonly texts: readonly string[];
}

/** All that is visited from `at` on, in as many turns as it takes, of text as it would lie in bytes. */
function visited(text: string, at = 0, like = likeness): Seen {
  const bytes = Buffer.from(text).toString('latin1');
  const literals: string[] = [];
  const texts: string[] = [];
  let from = at;
  const visit = (literal: string, decoded: string): boolean => {
    literals.push(literal);
    texts.push(decoded);
    from += like.before.length + literal.length + like.after.length;
    return true;
  };
  while (visitAlike(bytes, from, like, visit) > 0);
  return { literals, texts };
}

describe('events that are alike', () => {
  it('are visited with their strings as they stand and as the texts they are', () => {
    const { literals, texts } = visited(event('word ') + event('') + event('\\"a\\u00fc\\n') + event('ü'));
    expect(literals.map((literal) => Buffer.from(literal, 'latin1').toString())).toEqual([
      'word ',
      '',
      '\\"a\\u00fc\\n',
      'ü',
    ]);
    expect(texts).toEqual(['word ', '', '"aü\n', 'ü']);
  });

  it('are visited from where it is said, in any number', () => {
    const many = Array.from({ length: 500 }, (_, index) => `word ${index}`);
    expect(visited(`: x\n\n${many.map(event).join('')}`, 5).texts).toEqual(many);
  });

  it.each([
    ['another kind of event', 'data: {"usage":1}\n\n'],
    ['another member', 'data: {"delta":"x","other":1}\n\n'],
    ['another member before them', `data: {"x":1,${event('x').slice(7)}`],
    ['the same in another likeness', 'data: {"delta":"x"}\r\n\r\n'],
    ['a string that is none', event('\\q')],
    ['a string that is none, of an escape', event('x\\')],
    ['a string with a quote in it', event('x"y')],
    ['a string with a control character in it', event('x\ty')],
    ['an event that is not whole', event('x').slice(0, -1)],
    ['nothing', ''],
  ])('end before %s', (_, other) => {
    expect(visited(event('a') + event('b') + other + event('c')).texts.slice(0, 3)).toEqual(
      other === '' ? ['a', 'b', 'c'] : ['a', 'b'],
    );
    expect(visited(event('a') + other).texts).toEqual(['a']);
    expect(visited(other + event('a')).texts).toEqual(other === '' ? ['a'] : []);
  });

  it('end where the visitor says so', () => {
    let count = 0;
    const visit = (): boolean => ++count < 2;
    expect(visitAlike(event('x').repeat(5), 0, likeness, visit)).toBe(2);
    expect(count).toBe(2);
  });

  it('are none where a carriage return ends them, for a line feed may follow', () => {
    const open = likenessOf(Buffer.from(BEFORE), Buffer.from('"}\r\r'));
    expect(visited(`${BEFORE}a"}\r\r${BEFORE}b"}\r\r`, 0, open).texts).toEqual([]);
  });

  it('are all found, whatever their strings and whatever follows', () => {
    const literal = string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text).slice(1, -1));
    assert(
      property(array(literal), constantFrom('', 'data: [DONE]\n\n', event('x').slice(0, -2)), (literals, rest) => {
        const whole = literals.map((one) => Buffer.from(one).toString());
        expect(visited(whole.map(event).join('') + rest).texts).toEqual(
          whole.map((one) => JSON.parse(`"${one}"`) as string),
        );
      }),
    );
  });
});

describe('an event like others', () => {
  it('is theirs with another string', () => {
    const foreign = likenessOf(Buffer.from('data: {"ü":"'), Buffer.from(AFTER));
    expect(Buffer.from(eventLike(foreign, 'é')).toString()).toBe('data: {"ü":"é"}\n\n');
  });
});
