import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventFrom, stringEnd, stringOf, templateOf, viewOf } from './event-template.ts';

const BEFORE = 'data: {"delta":"';
const AFTER = '"}\n\n';
const template = templateOf(Buffer.from(BEFORE), Buffer.from(AFTER));
const event = (literal: string): string => BEFORE + literal + AFTER;

/** The texts of the leading events with the same template. */
function textsOf(text: string, like = template): string[] {
  const bytes = Buffer.from(text);
  const texts: string[] = [];
  const endAfter = (at: number): number => stringEnd(bytes, viewOf(bytes), at, like);
  let at = 0;
  for (let to = endAfter(at); to >= 0; to = endAfter(at)) {
    const decoded = stringOf(bytes, at + like.before.length, to);
    if (decoded === null) break;
    texts.push(decoded);
    at = to + like.after.length;
  }
  return texts;
}

describe('events with the same template', () => {
  it('are found with the texts that their strings are', () => {
    const text = event('word ') + event('') + event('\\"a\\u00fc\\n\\\\') + event('ü');
    expect(textsOf(text)).toEqual(['word ', '', '"aü\n\\', 'ü']);
  });

  it.each([
    ['another kind of event', 'data: {"usage":1}\n\n'],
    ['another member', 'data: {"delta":"x","other":1}\n\n'],
    ['another member before them', `data: {"x":1,${event('x').slice(7)}`],
    ['the same in another form', 'data: {"delta":"x"}\r\n\r\n'],
    ['a string that is none', event('\\q')],
    ['a string that is none, of an escape', event('x\\')],
    ['a string with a quote in it', event('x"y')],
    ['a string with a control character in it', event('x\ty')],
    ['a string with a line end in it', event('x\n\ndata: y')],
    ['an event that is not whole', event('x').slice(0, -1)],
    ['an event that has just begun', BEFORE.slice(0, 9)],
  ])('end before %s', (_, other) => {
    expect(textsOf(event('a') + event('b') + other + event('c')).slice(0, 3)).toEqual(['a', 'b']);
    expect(textsOf(event('a') + other)).toEqual(['a']);
    expect(textsOf(other + event('a'))).toEqual([]);
  });

  it.each(Array.from({ length: BEFORE.length }, (_, at) => at))('are none where byte %i differs', (at) => {
    const other = event('b');
    expect(textsOf(`${event('a')}${other.slice(0, at)}~${other.slice(at + 1)}`)).toEqual(['a']);
  });

  it('are none where a carriage return ends them, for a line feed may follow', () => {
    const open = templateOf(Buffer.from(BEFORE), Buffer.from('"}\r\r'));
    expect(textsOf(`${BEFORE}a"}\r\r${BEFORE}b"}\r\r`, open)).toEqual([]);
  });

  it('are all found, with any strings and any rest', () => {
    const literal = string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text).slice(1, -1));
    assert(
      property(array(literal), constantFrom('', 'data: [DONE]\n\n', event('x').slice(0, -2)), (literals, rest) => {
        expect(textsOf(literals.map(event).join('') + rest)).toEqual(
          literals.map((one) => JSON.parse(`"${Buffer.from(one).toString()}"`) as string),
        );
      }),
    );
  });
});

describe('an event like others', () => {
  it('is theirs with another string', () => {
    const foreign = templateOf(Buffer.from('data: {"ü":"'), Buffer.from(AFTER));
    expect(Buffer.from(eventFrom(foreign, 'é')).toString()).toBe('data: {"ü":"é"}\n\n');
  });
});
