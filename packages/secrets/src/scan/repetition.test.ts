import { assert, constantFrom, integer, oneof, property, tuple, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScanner } from '../stream/scanner.ts';
import { dice, draw } from '../testing/specimen.ts';
import { AHEAD, BACK, Repetition } from './engine.ts';

const LOOKS = 64;

/** A repetition after the given number of rejected keywords before `at`. */
function repetitionAfter(bytes: Uint8Array, at: number, end = bytes.length, times = LOOKS): Repetition {
  const repetition = new Repetition();
  for (let time = 0; time < times; time++) repetition.rejected(at, bytes, end);
  return repetition;
}

describe('a repetition', () => {
  const bytes = Buffer.from('token=abc '.repeat(300));

  it('skips bytes that the checks can read completely', () => {
    expect(repetitionAfter(bytes, 1000).quietUntil).toBe(3000 - AHEAD);
  });

  it('is not looked for at every keyword', () => {
    expect(repetitionAfter(bytes, 1000, bytes.length, LOOKS - 1).quietUntil).toBeLessThan(0);
  });

  it('needs a beginning that is as long as what the checks read back', () => {
    expect(repetitionAfter(bytes, BACK + 128).quietUntil).toBeLessThan(0);
    for (const place of [999, 1000 - BACK]) {
      const other = Buffer.from(bytes);
      other[place] = 0x21;
      expect(repetitionAfter(other, 1000).quietUntil).toBeLessThan(0);
    }
  });

  it('ends before anything else comes into reach', () => {
    const other = Buffer.from(bytes);
    other[2000] = 0x21;
    expect(repetitionAfter(other, 1000).quietUntil).toBe(2000 - AHEAD);
  });

  it('continues with the text, and never after its end', () => {
    const repetition = repetitionAfter(bytes, 1000, 2000);
    expect(repetition.quietUntil).toBe(2000 - AHEAD);
    repetition.extend(bytes, 3000);
    expect(repetition.quietUntil).toBe(3000 - AHEAD);
    const other = Buffer.from(bytes);
    other[2000] = 0x21;
    const ended = repetitionAfter(other, 1000);
    ended.extend(other, 3000);
    expect(ended.quietUntil).toBe(2000 - AHEAD);
  });

  it('is none when a keyword of the last period was not rejected', () => {
    const repetition = new Repetition();
    repetition.accepted(993);
    for (let time = 0; time < LOOKS; time++) repetition.rejected(1000, bytes, bytes.length);
    expect(repetition.quietUntil).toBeLessThan(0);
    for (let time = 0; time < LOOKS; time++) repetition.rejected(1010, bytes, bytes.length);
    expect(repetition.quietUntil).toBe(3000 - AHEAD);
  });

  it('has the shortest period, up to 256 bytes', () => {
    const long = Buffer.from(draw('a-z', 256, dice('period')).repeat(12));
    expect(repetitionAfter(long, 1000).quietUntil).toBe(long.length - AHEAD);
    const longer = Buffer.from(draw('a-z', 257, dice('period')).repeat(12));
    expect(repetitionAfter(longer, 1000).quietUntil).toBeLessThan(0);
  });
});

const scanner = createScanner({ key: Buffer.from('repetition') });
const roll = dice('repetition');
const value = draw('A-Za-z0-9', 32, roll);
const TRIGGERS = [
  'password=',
  'key:key:',
  'token="ghp_',
  'auth ',
  'sk-proj-',
  '://a:b',
  'nkey SU',
  'token: ',
  'key key key = ',
];

describe('a text that repeats itself', () => {
  it.each(TRIGGERS)('hides no secret between its periods: %s', (trigger) => {
    for (const at of [0, 3000, 6000, 33_000, 66_000]) {
      const row = trigger.repeat(Math.ceil(66_000 / trigger.length));
      const text = `${row.slice(0, at)}\nclient_secret = "${value}"\n${row.slice(at)}`;
      const found = scanner.scanText(text).map(({ start, end }) => text.slice(start, end));
      expect(found).toContain(value);
    }
  });

  it('gives the same result as in pieces, where nothing is skipped', () => {
    const row = tuple(constantFrom(...TRIGGERS, 'a', 'x = 1;\n'), integer({ min: 1, max: 4000 }));
    const secret = constantFrom(
      `\nclient_secret = "${value}"\n`,
      `ghp_${draw('A-Za-z0-9', 36, roll)}`,
      `postgres://svc:${draw('A-Za-z0-9', 16, roll)}@db/app `,
      `\n${value} `,
      `= "${value}"`,
      ' ',
      '"',
    );
    assert(
      property(uniqueArray(oneof(row, secret), { minLength: 1, maxLength: 8, selector: String }), (parts) => {
        const text = parts
          .map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1] / part[0].length)))
          .join('');
        const channel = scanner.channel({ high: 'mask', medium: 'mask' }, null);
        const steps = [channel.push(text), channel.end()];
        const rules = steps.flatMap(({ findings }) => findings.map(({ rule, start, end }) => [rule, start, end]));
        expect(scanner.scanText(text).map(({ rule, start, end }) => [rule, start, end])).toEqual(rules);
      }),
      { numRuns: 40 },
    );
  });
});
