import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { createSuspect } from './suspect.ts';

/** How much waits after each byte of a text. */
function waiting(text: string): number[] {
  const suspect = createSuspect();
  return [...Buffer.from(text)].map((byte) => {
    suspect.add(byte);
    return suspect.length;
  });
}

describe('a run at the end of a text', () => {
  it.each(['Nothing in these words waits.', 'const camelCaseName = other_name;', 'version 24.21.0, utf8, 3306'])(
    'does not wait: %s',
    (text) => {
      expect(waiting(text).every((length) => length === 0)).toBe(true);
    },
  );

  it('waits as a whole from where it reads as generated, until it ends', () => {
    const held = waiting(`${draw('0-9', 2, dice('digits'))}${draw('A-Za-z0-9', 28, dice('suspect'))} `);
    expect(held.slice(0, 3)).toEqual([0, 0, 0]);
    expect(held[29]).toBe(30);
    expect(held[30]).toBe(0);
  });

  it('waits as hexadecimal digits too', () => {
    expect(waiting('8f14e45fceea167a').at(-1)).toBe(16);
  });

  it('never waits longer than any form is', () => {
    const held = waiting(`9x${draw('A-Za-z0-9', 300, dice('long'))}`);
    expect(Math.max(...held)).toBe(76);
    expect(held.at(-1)).toBe(0);
  });
});
