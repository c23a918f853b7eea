import { array, assert, constantFrom, date, integer, property, record, string, uuid } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAXIMUM_ACTS, MAXIMUM_REASON, MAXIMUM_SESSION, parseActBatch } from './command.ts';
import { characters } from './text.ts';

/** Every act that the contract allows, without its optional members. */
const act = record({
  id: uuid(),
  session: string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0')),
  subject: string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0')),
  at: date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true }).map(
    (at) => at.toISOString(),
  ),
  tool: constantFrom('read_file', 'Bash', 'mcp__server__tool', 'é'),
  target: record({ kind: constantFrom('path', 'command', 'host'), value: constantFrom('x', 'a\nb', '🔒', ' ') }),
  authorizedBy: constantFrom('policy', 'human', 'automatic'),
  outcome: constantFrom('succeeded', 'failed', 'refused', 'interrupted'),
});

describe('a batch of generated acts', () => {
  it('is accepted, in its order and unchanged', () => {
    assert(
      property(array(act, { maxLength: 8 }), (acts) => {
        expect(parseActBatch({ acts })).toEqual({ acts });
        expect(parseActBatch(JSON.parse(JSON.stringify({ acts })))).toEqual({ acts });
      }),
    );
  });

  it('is refused as a whole for one faulty act, which is named by its position', () => {
    const fault = constantFrom<object>({ id: 7 }, { outcome: null }, { extra: 1 }, { at: '' }, { target: {} });
    assert(
      property(
        array(act, { maxLength: 6 }),
        act,
        array(act, { maxLength: 6 }),
        fault,
        (before, faulty, after, change) => {
          const parsed = parseActBatch({ acts: [...before, { ...faulty, ...change }, ...after] });
          expect(parsed).toEqual({ refused: expect.stringMatching(new RegExp(`^act #${before.length + 1}: `)) });
        },
      ),
    );
  });

  it('accepts an instant in any zone as the same instant in UTC', () => {
    const sample = {
      id: '01890000-0000-7000-8000-00000000000a',
      session: 's',
      subject: 'p',
      tool: 't',
      target: { kind: 'path', value: 'x' },
      authorizedBy: 'human',
      outcome: 'failed',
    };
    const days = integer({ min: 1, max: 2_900_000 });
    assert(
      property(days, integer({ min: -23, max: 23 }), constantFrom(0, 30, 45, 59), (day, hours, minutes) => {
        const instant = new Date(day * 86_400_000);
        const offset = Math.sign(hours || 1) * (Math.abs(hours) * 60 + minutes);
        const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const two = (number: number): string => String(number).padStart(2, '0');
        const at = `${local}${offset < 0 ? '-' : '+'}${two(Math.abs(hours))}:${two(minutes)}`;
        expect(parseActBatch({ acts: [{ ...sample, at }] })).toMatchObject({ acts: [{ at: instant.toISOString() }] });
      }),
    );
  });
});

describe('the limits of an act', () => {
  it('are those of the contract (limits-3)', () => {
    expect([MAXIMUM_ACTS, MAXIMUM_REASON, MAXIMUM_SESSION]).toEqual([500, 300, 300]);
  });

  it('count what a person sees as one character, and what the database counts', () => {
    const samples = [
      ['', 0],
      ['abc', 3],
      ['é', 1],
      ['🔒🔒', 2],
      ['e\u0301', 2],
      ['\ud800', 1],
    ] as const;
    for (const [text, count] of samples) expect([text, characters(text)]).toEqual([text, count]);
    assert(
      property(string({ unit: 'grapheme' }), (text) => {
        expect(characters(text)).toBe(Array.from(text).length);
      }),
    );
  });
});
