import { array, assert, constantFrom, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { characters, firstCharacters, instant, isStorable, isStorableInstant, storable, storableText } from './text.ts';

/** Texts of which a part cannot be stored: NUL, halves of pairs beside whole ones. */
const text = array(constantFrom('a', 'é', '😀', '\0', '\ud83d', '\ude00', '\ufffd', '\n'), { maxLength: 30 }).map(
  (list) => list.join(''),
);
const messageOf = (parsed: ReturnType<ReturnType<typeof storableText>['safeParse']>): string | undefined =>
  parsed.error?.issues[0]?.message;

describe('what PostgreSQL can keep of a text', () => {
  it('can be stored, and is the text itself if that can be', () => {
    assert(
      property(text, (written) => {
        expect(isStorable(storable(written))).toBe(true);
        expect(storable(written) === written).toBe(isStorable(written));
        expect(Buffer.from(storable(written)).toString()).toBe(storable(written));
      }),
      { numRuns: 1000 },
    );
  });

  it('has as many code units as before, so that positions in it stay', () => {
    assert(
      property(text, (written) => {
        const kept = storable(written);
        expect(kept).toHaveLength(written.length);
        expect(storable(kept)).toBe(kept);
      }),
    );
  });
});

describe('the first characters of a text', () => {
  it('are a beginning of it, whole, and as many as there are up to the number', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 40 }), integer({ min: 0, max: 50 }), (written, most) => {
        const first = firstCharacters(written, most);
        expect(written.startsWith(first)).toBe(true);
        expect(first.isWellFormed()).toBe(true);
        expect(characters(first)).toBe(Math.min(most, characters(written)));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a text with limits', () => {
  const limited = storableText(1, 3);

  it.each([
    ['', 'must not be empty'],
    ['abcd', 'must contain at most 3 characters'],
    ['🔒🔒🔒🔒', 'must contain at most 3 characters'],
    ['a\0', 'must be well-formed Unicode without NUL'],
    ['\ude00', 'must be well-formed Unicode without NUL'],
    ['\0'.repeat(9), 'must be well-formed Unicode without NUL'],
    [7, 'must be text'],
    [null, 'must be text'],
    [undefined, 'must be text'],
    [['a'], 'must be text'],
  ])('refuses %j with the first of its faults', (value, message) => {
    expect(messageOf(limited.safeParse(value))).toBe(message);
    expect(limited.safeParse(value).error?.issues).toHaveLength(1);
  });

  it.each(['a', 'abc', '🔒🔒🔒', ' ', '\n'])('accepts %j as it is', (value) => {
    expect(limited.parse(value)).toBe(value);
  });

  it('may be empty where nothing is required', () => {
    expect(storableText(0, 3).parse('')).toBe('');
  });
});

describe('an instant that can be stored', () => {
  it.each([
    ['0001-01-01T00:00:00Z', true],
    ['0000-12-31T23:59:59.999Z', false],
    ['0001-01-01T00:00:00+00:01', false],
    ['9999-12-31T23:59:59.999Z', true],
    ['9999-12-31T23:59:59.999-00:01', false],
    ['2030-01-01T00:00:00+14:00', true],
    ['no instant', false],
    ['', false],
  ])('%s: %j', (at, isStored) => {
    expect(isStorableInstant(at)).toBe(isStored);
  });

  it.each([
    '2030-01-31',
    '2030-01-31T00:00:00',
    '2030-02-30T00:00:00Z',
    '2030-01-31T24:00:00Z',
    '2030-01-31T00:00:00+0100',
    '31.1.2030',
  ])('needs a day of the calendar, a time and a zone: %s', (at) => {
    expect(instant.safeParse(at).error?.issues.map(({ message }) => message)).toEqual([
      'must be an ISO 8601 instant, such as 2030-01-31T00:00:00Z',
    ]);
  });

  it('is kept as it was written', () => {
    for (const at of ['2030-01-31T00:00:00Z', '2024-02-29T12:30:00.5+02:00']) expect(instant.parse(at)).toBe(at);
  });
});
