import { describe, expect, it } from 'vitest';
import { createScanner } from '../scanner.ts';
import { dice, draw } from '../testing/specimen.ts';
import { Repetition } from './repetition.ts';

describe('a repetition', () => {
  const bytes = Buffer.from('token=abc '.repeat(300));
  const end = bytes.length;

  it('answers what was answered a period before', () => {
    const repetition = new Repetition(1);
    expect(repetition.leadsNowhere(0, 505, bytes, end)).toBe(false);
    repetition.note(0, 505);
    expect(repetition.leadsNowhere(0, 515, bytes, end)).toBe(true);
    expect(repetition.leadsNowhere(0, 525, bytes, end)).toBe(true);
    expect(repetition.leadsNowhere(0, 595, bytes, end)).toBe(false);
  });

  it('does not answer at the edges of the text, nor where anything in reach differs', () => {
    for (const place of [515 - 176, 515, 515 + 639]) {
      const other = Buffer.from(bytes);
      other[place] = 0x21;
      const repetition = new Repetition(1);
      repetition.note(0, 505);
      expect(repetition.leadsNowhere(0, 515, other, end)).toBe(false);
    }
    const repetition = new Repetition(1);
    repetition.note(0, 95);
    expect(repetition.leadsNowhere(0, 105, bytes, end)).toBe(false);
    repetition.note(0, 2905);
    expect(repetition.leadsNowhere(0, 2915, bytes, end)).toBe(false);
  });
});

describe('a text that repeats itself', () => {
  const scanner = createScanner({ key: Buffer.from('repetition') });
  const roll = dice('repetition');

  it.each(['password=', 'key:key:', 'token="ghp_', 'auth ', 'sk-proj-', '://a:b', 'nkey SU', 'token: '])(
    'hides no secret between its periods: %s',
    (trigger) => {
      for (const at of [0, 3000, 6000]) {
        const value = draw('A-Za-z0-9', 32, roll);
        const row = trigger.repeat(Math.ceil(6000 / trigger.length));
        const text = `${row.slice(0, at)}\nclient_secret = "${value}"\n${row.slice(at)}`;
        const found = scanner.scanText(text).map(({ start, end }) => text.slice(start, end));
        expect(found).toContain(value);
      }
    },
  );
});
