import { array, assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { View } from '../verify/view.ts';
import { PendingToken } from './pending-token.ts';

function viewOf(text: string): View {
  const view = new View();
  view.bytes = Buffer.from(text);
  view.end = view.bytes.length;
  return view;
}

/** How much waits after each byte of a text. */
function waiting(text: string): number[] {
  const view = viewOf(text);
  const pendingToken = new PendingToken();
  return [...view.bytes].map((_, at) => pendingToken.lengthAt(view, at + 1));
}

describe('a run at the end of a text', () => {
  it.each(['Nothing in these words waits.', 'const camelCaseName = other_name;', 'version 24.21.0, utf8, 3306'])(
    'does not wait: %s',
    (text) => {
      expect(waiting(text).every((length) => length === 0)).toBe(true);
    },
  );

  it('waits as a whole from where it reads as generated, until it ends', () => {
    const held = waiting(`${draw('0-9', 2, dice('digits'))}${draw('A-Za-z0-9', 28, dice('pendingToken'))} `);
    expect(held.slice(0, 3)).toEqual([0, 0, 0]);
    expect(held[29]).toBe(30);
    expect(held[30]).toBe(0);
  });

  it('waits as hexadecimal digits too, unless they are more than any form has, or a colour', () => {
    expect(waiting('8f14e45fceea167a').at(-1)).toBe(16);
    expect(waiting('8f14e45fceea167a8f14e45fceea167a8f14e').at(-1)).toBe(0);
    expect(waiting('color: #8f14e4').at(-1)).toBe(0);
    expect(waiting('#8f14e4ff').at(-1)).toBe(0);
    expect(waiting('#8f14e45fceea').at(-1)).toBe(12);
  });

  it('waits as hexadecimal digits behind a path, without the path', () => {
    expect(waiting('/v3/lists/8f14e45fceea167a').at(-1)).toBe(16);
    expect(waiting('/v3/lists/8f14e45fceea167a8f14e45fceea167a8f14e').at(-1)).toBe(0);
    expect(waiting('/v3/lists/123456789012').at(-1)).toBe(0);
    expect(waiting('/v3/lists/8f14').at(-1)).toBe(0);
  });

  it.each(['"integrity": "sha512-', 'sha256:', 'image@sha256:', 'data:font/woff2;base64,', 'sha384-'])(
    'does not wait where a hash or encoded data is announced: %s',
    (announcement) => {
      const run = `9x${draw('A-Za-z0-9', 60, dice('announced'))}`;
      expect(Math.max(...waiting(`${announcement}${run}`))).toBeLessThanOrEqual(6);
      expect(waiting(`${announcement}${run}" ${run}`).at(-1)).toBe(62);
    },
  );

  it.each(['sha3x-', 'sha256 ', 'nosha256:', 'SHA512-'])('waits after anything else: %s', (word) => {
    expect(waiting(`${word}9x${draw('A-Za-z0-9', 60, dice('announced'))}`).at(-1)).toBe(62);
  });

  it('never waits longer than any form is', () => {
    const held = waiting(`9x${draw('A-Za-z0-9', 300, dice('long'))}`);
    expect(Math.max(...held)).toBe(76);
    expect(held.at(-1)).toBe(0);
  });

  it('waits the same for every division, with any earlier text dropped', () => {
    const roll = dice('places');
    const part = constantFrom('a', '7', ' ', '-', 'Zq8x', draw('A-Za-z0-9', 30, roll), draw('a-f0-9', 20, roll));
    assert(
      property(
        array(part, { maxLength: 12 }),
        array(integer({ min: 0, max: 400 }), { maxLength: 30 }),
        (parts, places) => {
          const text = parts.join('');
          const expected = waiting(text);
          const pendingToken = new PendingToken();
          const view = viewOf(text);
          let dropped = 0;
          for (const place of places) {
            const at = place % Math.max(1, text.length);
            // A run is at most 76 bytes: dropped text is further back.
            if (at >= text.length || at < dropped + (dropped > 0 ? 80 : 0)) continue;
            expect(pendingToken.lengthAt(view, at - dropped + 1)).toBe(expected[at]);
            const droppable = Math.max(0, at - dropped - 100);
            view.drop(droppable);
            pendingToken.drop(droppable);
            dropped += droppable;
          }
        },
      ),
    );
  });
});
