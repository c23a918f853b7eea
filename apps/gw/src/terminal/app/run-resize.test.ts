import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finished } from '../testing/events.ts';
import { openTerminal } from '../testing/terminal-world.ts';

const ROWS = 40;
const width = fc.integer({ min: 50, max: 90 });
const step = fc.oneof(
  width.map((columns) => ({ kind: 'resize' as const, columns })),
  fc.integer({ min: 1, max: 30 }).map((words) => ({ kind: 'words' as const, words })),
  fc.constantFrom('a', '日', ' ', '\x7f', '\x1b\r').map((key) => ({ kind: 'key' as const, key })),
  fc.constant({ kind: 'call' as const }),
);

describe('a window that changes its width during a turn', () => {
  test('loses no word of the answer and shows none twice; the input and the status stay at the end', async () => {
    await fc.assert(
      fc.asyncProperty(width, fc.array(step, { maxLength: 12 }), async (columns, steps) => {
        const world = await openTerminal({ prompt: 'hello', columns, rows: ROWS });
        let count = 0;
        for (const each of steps) {
          if (each.kind === 'resize') await world.resize(each.columns, ROWS);
          else if (each.kind === 'key') await world.press(each.key);
          else if (each.kind === 'call') world.session.report(finished({ content: `${'='.repeat(120)}\n`.repeat(3) }));
          else {
            const words = Array.from({ length: each.words }, (_, at) => `w${String(count + at).padStart(3, '0')} `);
            count += each.words;
            world.session.report({ type: 'text', text: words.join('') });
          }
          await world.pass(40);
          expect(world.emulator.screen().split('\n').at(-1)).toBe('normal · Test Model');
        }
        world.session.report({ type: 'message-finished', text: '' });
        world.session.finish();
        await world.pass();
        const text = world.emulator.all().replaceAll('\n', '');
        expect([...text.matchAll(/w\d{3}/g)].map(([word]) => Number(word.slice(1)))).toEqual(
          Array.from({ length: count }, (_, at) => at),
        );
        expect(text.match(/normal · Test Model/g)).toHaveLength(1);
        expect(world.emulator.clears).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a window that becomes very small and large again', () => {
  test.each([
    [11, 4],
    [20, 3],
    [5, 30],
    [1, 1],
  ])('%i columns and %i rows: nothing fails, and the message is there afterwards', async (columns, rows) => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'text', text: 'An answer of several words.\n\n```\ncode\n```\n' });
    await world.press('my message');
    await world.resize(columns, rows);
    await world.press('!');
    await world.pass(500);
    await world.resize(80, 24);
    expect(world.emulator.screen()).toContain('> my message!');
    expect(world.emulator.screen().split('\n').at(-1)).toBe('normal · Test Model');
  });
});
