import { describe, expect, it } from 'vitest';
import type { Host } from '../device/ports.ts';
import { openTerminal } from '../testing/terminal-world.ts';

const ENTER = '\r';
const opened = (shell: Host['shell']) => openTerminal({ host: { shell } });

describe('!', () => {
  it('runs a command of the user; the model is not asked', async () => {
    const world = await openTerminal();
    await world.press('!ls', ENTER);
    await world.pass();
    expect(world.emulator.all()).toMatch(/\$ ls\nshell output/);
    expect(world.emulator.all()).not.toMatch(/background|Exit code/);
    expect(world.session.submitted).toEqual([]);
  });

  it('reports that a process continues in the background', async () => {
    const world = await opened(async () => ({ code: 0, continues: true }));
    await world.press('!make watch &', ENTER);
    await world.pass();
    expect(world.emulator.all()).toContain('A process continues in the background. Its output is no longer shown.');
  });

  it.each([
    [3, 'Exit code 3.'],
    [null, 'Exit code unknown: a signal ended it.'],
  ])('shows the exit code %s', async (code, text) => {
    const world = await opened(async () => ({ code, continues: false }));
    await world.press('!false', ENTER);
    await world.pass();
    expect(world.emulator.all()).toContain(text);
  });

  it('shows output that comes in parts as whole lines, without control sequences', async () => {
    const world = await opened(async (_, output) => {
      for (const part of ['on', 'e\ntw', 'o\x1b]2;title\x07\n', '\nno line end']) output(part);
      return { code: 0, continues: false };
    });
    await world.press('!x', ENTER);
    await world.pass();
    expect(world.emulator.all()).toMatch(/\$ x\none\ntwo\n\nno line end/);
  });

  it('ends the command when Escape interrupts it', async () => {
    const world = await opened(
      (_, output, signal) =>
        new Promise((resolve) => {
          output('begun\n');
          signal.addEventListener('abort', () => resolve({ code: null, continues: false }));
        }),
    );
    await world.press('!sleep 1000', ENTER);
    await world.pass();
    await world.press('\x1b');
    await world.pass(100);
    expect(world.emulator.all()).toMatch(/begun\nInterrupted\./);
    expect(world.emulator.all()).not.toContain('Exit code');
  });

  it('waits for the end of a turn', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.press('!ls', ENTER);
    expect(world.emulator.screen()).toContain('Your command waits for the end of the turn.');
    expect(world.emulator.all()).not.toContain('shell output');
  });
});
