import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../testing/emulator.ts';
import { line } from '../text/line.ts';
import type { Device, Timers } from './ports.ts';
import { createScreen, type LiveView } from './screen.ts';

/** A screen in an emulated window whose clock the test moves. */
function openScreen(columns = 20, rows = 8) {
  const emulator = createEmulator(columns, rows);
  const size = { columns, rows };
  let live: LiveView = { lines: [line('> ')], cursor: { row: 0, column: 2 } };
  let writes = 0;
  let waiting: (() => void)[] = [];
  const device: Pick<Device, 'palette' | 'size' | 'write'> = {
    palette: 'plain',
    size: () => size,
    write(text) {
      writes += 1;
      emulator.write(text);
    },
  };
  const timers: Timers = {
    now: () => 0,
    after(_, run) {
      waiting.push(run);
      return () => {
        waiting = waiting.filter((each) => each !== run);
      };
    },
  };
  const screen = createScreen(device as Device, timers, () => live);
  return {
    screen,
    emulator,
    writes: () => writes,
    show: (...texts: string[]): void => {
      live = { lines: texts.map((text) => line(text)), cursor: { row: texts.length - 1, column: 0 } };
    },
    tick: (): void => {
      for (const run of waiting.splice(0)) run();
    },
    resize: (nextColumns: number, nextRows: number): void => {
      Object.assign(size, { columns: nextColumns, rows: nextRows });
      emulator.resize(nextColumns, nextRows);
      screen.resized();
    },
  };
}

describe('the screen', () => {
  it('writes what comes within a moment together, and nothing where nothing changed', () => {
    const { screen, emulator, writes, tick } = openScreen();
    for (let at = 0; at < 100; at += 1) screen.print([line(`line ${at}`)]);
    screen.refresh();
    expect(writes()).toBe(0);
    tick();
    expect(writes()).toBe(1);
    expect(emulator.all()).toMatch(/^line 0\n[\s\S]*line 99\n>$/);
    screen.refresh();
    tick();
    expect(writes()).toBe(1);
  });

  it('takes any number of lines at once', () => {
    let written = '';
    const size = () => ({ columns: 20, rows: 8 });
    const device = { palette: 'plain', size, write: (text: string) => void (written += text) } as Device;
    const timers: Timers = { now: () => 0, after: () => () => undefined };
    const screen = createScreen(device, timers, () => ({ lines: [line('> ')], cursor: null }));
    screen.print(Array.from({ length: 200_000 }, (_, at) => line(String(at))));
    screen.draw();
    expect(written.split('\r\n')).toHaveLength(200_001);
  });

  it('writes nothing after it was closed; what was printed before is there, the live part is gone', () => {
    const { screen, emulator, writes, tick } = openScreen();
    screen.draw();
    screen.print([line('the end')]);
    screen.close();
    const before = writes();
    screen.print([line('too late')]);
    screen.draw();
    screen.close();
    tick();
    expect(writes()).toBe(before);
    expect(emulator.all()).toBe('the end');
    expect(emulator.cursor()).toEqual({ row: 1, column: 0 });
  });

  it('that is opened again writes what was printed meanwhile, also in a window of another size', () => {
    const { screen, emulator, resize, show } = openScreen();
    screen.draw();
    screen.close();
    screen.print([line('meanwhile')]);
    show('a', '> b');
    resize(30, 5);
    screen.reopen();
    expect(emulator.all()).toBe('meanwhile\na\n> b');
  });
});

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '日', '👍'), maxLength: 8 });
const rows = fc.array(text, { minLength: 1, maxLength: 3 });

it('in a window that changes its width, finished lines stay, and the live part is there once', () => {
  const step = fc.record({
    width: fc.integer({ min: 20, max: 60 }),
    live: rows,
    finished: fc.array(text, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const { screen, emulator, show, resize, tick } = openScreen(40, 30);
      const above: string[] = [];
      for (const { width, live, finished } of steps) {
        show(...live.map((each) => `|${each}`));
        screen.print(finished.map((each) => line(`=${each}`)));
        above.push(...finished.map((each) => `=${each}`));
        tick();
        resize(width, 30);
        expect(emulator.all().split('\n')).toEqual(
          [...above, ...live.map((each) => `|${each}`)].map((each) => each.trimEnd()),
        );
      }
    }),
  );
});

it('in a window that becomes lower, the live part is drawn whole at the end', () => {
  const { screen, emulator, show, resize } = openScreen(20, 12);
  const tall = Array.from({ length: 11 }, (_, at) => `row ${at}`);
  show(...tall);
  screen.draw();
  show('row 0', 'row 1', 'two', '> ');
  resize(20, 5);
  expect(emulator.screen().split('\n').slice(0, 4)).toEqual(['row 0', 'row 1', 'two', '>']);
});

it('a live row that no longer fits is wrapped by the terminal, and erased with all that it became', () => {
  const { screen, emulator, show, resize } = openScreen(40, 12);
  screen.print([line('finished')]);
  show('x'.repeat(39), 'y'.repeat(39), '> ');
  screen.draw();
  show('x'.repeat(11), '> ');
  resize(12, 12);
  expect(emulator.all()).toBe(`finished\n${'x'.repeat(11)}\n>`);
});
