import { gzipSync } from 'node:zlib';
import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMS, isGated, readSamples, type Sample } from './samples.ts';

const one: Sample = {
  id: 'a',
  kind: 'infra-key',
  text: 'x\ny',
  label: 1,
  tier: 'core',
  rule: null,
  source: 'own',
  span: [0, 1],
};
const lines = `${JSON.stringify(one)}\n\n${JSON.stringify({ ...one, id: 'b', label: 0, span: null })}\n`;

describe('samples', () => {
  it.each([
    ['plain', Buffer.from(lines)],
    ['compressed', gzipSync(lines)],
  ])('are one a line, in a %s file, whatever blank lines it has', (_, bytes) => {
    expect(readSamples(bytes).map(({ id, label, text }) => [id, label, text])).toEqual([
      ['a', 1, 'x\ny'],
      ['b', 0, 'x\ny'],
    ]);
  });

  it('of an empty file are none', () => {
    expect(readSamples(Buffer.alloc(0))).toEqual([]);
  });

  it('count where they are of the core and of a kind that is masked', () => {
    expect(isGated(one)).toBe(true);
    expect(isGated({ ...one, tier: 'hard' })).toBe(false);
    expect(isGated({ ...one, tier: 'longtail' })).toBe(false);
    expect(isGated({ ...one, kind: 'password' })).toBe(false);
    expect(isGated({ ...one, kind: 'negative' })).toBe(false);
  });
});

describe.each(FORMS)('the form $name', ({ write, read, contentType }) => {
  it('carries any text, and gives it back', () => {
    assert(
      property(string({ unit: 'grapheme' }), (text) => {
        expect(read(write(text))).toBe(text);
      }),
    );
  });

  it('is what its type says', () => {
    const carrier = write('a/b "c" <d>');
    const parse = (): unknown => JSON.parse(carrier);
    expect(contentType === 'text/plain' ? carrier : parse()).toBeTruthy();
  });
});

it('the forms are all different where a text has marks', () => {
  const text = 'https://user:x@host/"a"?b=c&d';
  expect(new Set(FORMS.map(({ write }) => write(text))).size).toBe(FORMS.length);
});
