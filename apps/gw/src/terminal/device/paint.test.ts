import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../testing/emulator.ts';
import { widthOf } from '../text/line.ts';
import { eraseAfterResize, type Frame, NOTHING_SHOWN, paint, type Row } from './screen.ts';

const COLUMNS = 20;
const ROWS = 8;
const row = (text: string): Row => ({ text, width: widthOf(text) });
const frameOf = (texts: readonly string[], cursor: Frame['cursor'] = null): Frame => ({ rows: texts.map(row), cursor });

const text = fc
  .array(fc.constantFrom('a', 'bc', ' ', '日', 'é', '👍'), { maxLength: 8 })
  .map((parts) => parts.join(''));
const long = fc.array(text, { maxLength: 8 }).map((parts) => parts.join('x'));
const step = fc.record({
  finished: fc.array(long, { maxLength: 6 }),
  live: fc.array(text, { minLength: 1, maxLength: ROWS - 1 }),
  cursor: fc.nat(),
});

/** What a terminal shows that is high enough for everything. */
function written(text: string): string {
  const emulator = createEmulator(COLUMNS, 200);
  emulator.write(text);
  return emulator.all();
}

describe('after any paints', () => {
  test('finished lines are above, once and in order; the live part is below; the cursor is at its position', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        const emulator = createEmulator(COLUMNS, ROWS);
        let [shown, above] = [NOTHING_SHOWN, ''];
        for (const { finished, live, cursor } of steps) {
          const place = cursor % live.length;
          const at = { row: place, column: Math.min(cursor % 5, widthOf(live[place] ?? '')) };
          const [output, next] = paint(shown, finished.map(row), frameOf(live, at), COLUMNS);
          emulator.write(output);
          shown = next;
          above += finished.map((each) => `${each}\r\n`).join('');
          expect(emulator.all()).toBe(written(above + live.join('\r\n')));
          expect(emulator.cursor().column).toBe(at.column);
        }
        expect(emulator.clears).toBe(0);
      }),
    );
  });

  test('the same frame again writes nothing', () => {
    const frame = frameOf(['one', 'two'], { row: 1, column: 3 });
    const [, shown] = paint(NOTHING_SHOWN, [], frame, COLUMNS);
    expect(paint(shown, [], frameOf(['one', 'two'], { row: 1, column: 3 }), COLUMNS)[0]).toBe('');
  });

  test('of a row that grows, only its end is written', () => {
    const [, shown] = paint(NOTHING_SHOWN, [], frameOf(['the beginning', 'below']), COLUMNS);
    const [output] = paint(shown, [], frameOf(['the beginning of', 'below']), COLUMNS);
    expect(output).not.toContain('beginning');
    expect(output.length).toBeLessThan(50);
  });
});

test('after the window became narrower, what terminals wrapped is erased', () => {
  const [, shown] = paint(
    NOTHING_SHOWN,
    [],
    frameOf(['a'.repeat(19), 'b'.repeat(19), '> '], { row: 2, column: 2 }),
    COLUMNS,
  );
  expect(eraseAfterResize(shown, 10)).toBe('\x1b[4A\r\x1b[J');
});
