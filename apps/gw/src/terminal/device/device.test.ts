import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Palette } from '../text/line.ts';
import { createDevice, paletteOf } from './device.ts';

/** A device on streams that the test holds in place of a terminal. */
function openDevice(palette: Palette = 'colors') {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => modes.push(mode) });
  const stdout = Object.assign(new PassThrough(), { columns: 0, rows: 0 });
  let written = '';
  stdout.setEncoding('utf8').on('data', (text: string) => void (written += text));
  const streams = { stdin, stdout } as unknown as Pick<NodeJS.Process, 'stdin' | 'stdout'>;
  return {
    device: createDevice({ palette, screenReader: false }, streams),
    stdin,
    stdout,
    modes,
    written: () => written,
  };
}

describe('the terminal of the process', () => {
  it('is taken key by key, and given back as it was', async () => {
    const { device, stdin, stdout, modes, written } = openDevice();
    const typed: string[] = [];
    const close = device.open(
      (text) => typed.push(text),
      () => undefined,
      () => undefined,
    );
    stdin.write('é');
    await expect.poll(() => typed).toEqual(['é']);
    expect([modes, process.listenerCount('exit') > 0]).toEqual([[true], true]);
    expect(written()).toContain('\x1b[?2004h');
    close();
    close();
    expect(modes).toEqual([true, false]);
    // Bracketed paste, focus events and the keyboard protocols are switched off; the cursor is shown.
    for (const off of ['\x1b[?2004l', '\x1b[?1004l', '\x1b[>4;0m', '\x1b[<u', '\x1b[?25h'])
      expect(written().split(off)).toHaveLength(2);
    expect([stdin.listenerCount('data'), stdin.listenerCount('end'), stdout.listenerCount('resize')]).toEqual([
      0, 0, 0,
    ]);
    expect(stdin.isPaused()).toBe(true);
  });

  it('takes Enter for Enter that was pressed before it was taken, and Ctrl-J for itself afterwards', async () => {
    const { device, stdin } = openDevice();
    const typed: string[] = [];
    const close = device.open(
      (text) => typed.push(text),
      () => undefined,
      () => undefined,
    );
    stdin.write('hello\n');
    await expect.poll(() => typed).toEqual(['hello\r']);
    stdin.write('\n');
    await expect.poll(() => typed).toEqual(['hello\r', '\n']);
    close();
  });

  it('joins the bytes of a character that arrive apart', async () => {
    const { device, stdin } = openDevice();
    const typed: string[] = [];
    const close = device.open(
      (text) => typed.push(text),
      () => undefined,
      () => undefined,
    );
    const [first, ...rest] = Buffer.from('🔑x');
    stdin.write(Buffer.from([first ?? 0]));
    stdin.write(Buffer.from(rest));
    await expect.poll(() => typed.join('')).toBe('🔑x');
    close();
  });

  it('tells of another size, and of the end of the input, once each', async () => {
    const { device, stdin, stdout } = openDevice();
    const events: string[] = [];
    const close = device.open(
      () => undefined,
      () => events.push('resized'),
      () => events.push('closed'),
    );
    expect(device.size()).toEqual({ columns: 80, rows: 24 });
    Object.assign(stdout, { columns: 100, rows: 30 }).emit('resize');
    expect(device.size()).toEqual({ columns: 100, rows: 30 });
    stdin.end();
    await expect.poll(() => events).toEqual(['resized', 'closed']);
    close();
    stdout.emit('resize');
    expect(events).toHaveLength(2);
  });

  it('can be taken again after it was lent', async () => {
    const { device, stdin, modes } = openDevice();
    const typed: string[] = [];
    const open = () =>
      device.open(
        (text) => typed.push(text),
        () => undefined,
        () => undefined,
      );
    open()();
    const close = open();
    stdin.write('a');
    await expect.poll(() => typed).toEqual(['a']);
    close();
    expect(modes).toEqual([true, false, true, false]);
  });

  it('that is dumb gets no sequence at all', () => {
    const { device, written } = openDevice('plain');
    const nothing = (): void => undefined;
    device.open(nothing, nothing, nothing)();
    device.write('text');
    expect(written()).toBe('text');
  });
});

describe('the colours of an environment', () => {
  it.each<[Record<string, string>, number, Palette]>([
    [{}, 256, 'colors'],
    [{}, 8, 'colors'],
    [{}, 2, 'attributes'],
    [{ NO_COLOR: '1' }, 256, 'attributes'],
    [{ TERM: 'dumb' }, 256, 'plain'],
    [{ TERM: 'dumb', NO_COLOR: '1' }, 1, 'plain'],
    [{ TERM: 'xterm-256color' }, 256, 'colors'],
  ])('%j with %i colours: %s', (variables, colors, palette) => {
    expect(paletteOf(new Map(Object.entries(variables)), colors)).toBe(palette);
  });
});
