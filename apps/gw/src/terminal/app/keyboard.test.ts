import { describe, expect, it } from 'vitest';
import type { OpenedSession } from '../device/ports.ts';
import { permission } from '../testing/events.ts';
import { createFakeSession } from '../testing/fake-session.ts';
import { openTerminal, type TerminalWorld } from '../testing/terminal-world.ts';

const ENTER = '\r';
const [ESCAPE, CTRL_C, CTRL_D] = ['\x1b', '\x03', '\x04'];
const [PAGE_UP, PAGE_DOWN] = ['\x1b[5~', '\x1b[6~'];

/** Escape alone: it counts once nothing more comes. */
async function escape(world: TerminalWorld): Promise<void> {
  await world.press(ESCAPE);
  await world.pass(40);
}

describe('leaving', () => {
  it('Ctrl-D leaves an empty line, and deletes in a line that is not', async () => {
    const world = await openTerminal();
    await world.press('ab', '\x01', CTRL_D);
    expect(world.emulator.screen()).toContain('> b');
    await world.press(CTRL_D, CTRL_D);
    expect(await world.ended).toBe(0);
  });

  it('Ctrl-D leaves nothing while an argument is edited, even an empty one', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission());
    await world.press('e', '\x15', CTRL_D);
    expect(world.emulator.screen()).toContain('Edit the command. Enter approves the edited call');
  });

  it('Ctrl-C interrupts a turn first, and the second one leaves', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.press(CTRL_C);
    expect(world.session.calls).toEqual(['interrupt']);
    expect(world.emulator.screen()).toContain('Interrupting. Press Ctrl-C again to leave.');
    await world.press(CTRL_C);
    expect(await world.ended).toBe(0);
  });

  it('Ctrl-C while the session is being opened does not wait for it', async () => {
    const world = await openTerminal({ host: { open: () => new Promise(() => undefined) } });
    await world.press(CTRL_C, CTRL_C);
    expect(await world.ended).toBe(0);
  });

  it('a signal ends it with 130, and names the session that can be resumed', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.interrupt();
    expect(await world.ended).toBe(130);
    expect(world.session.calls).toEqual(['interrupt', 'close']);
    expect(world.emulator.all()).toMatch(/Session 01890000-\S+\. gw --resume continues it\.$/);
    expect(world.hasKeyboard()).toBe(false);
  });

  it('a session without a message is not named: there is nothing to resume', async () => {
    const world = await openTerminal();
    await world.press('/exit', ENTER);
    expect(await world.ended).toBe(0);
    expect(world.emulator.all()).not.toContain('--resume');
  });

  it('a session that cannot be opened gives the terminal back and says why', async () => {
    const opening = Promise.withResolvers<OpenedSession>();
    const world = await openTerminal({ host: { open: () => opening.promise } });
    const fault = world.ended.then(() => null, String);
    opening.reject(new Error('No model is configured.'));
    expect(await fault).toBe('Error: No model is configured.');
    expect(world.hasKeyboard()).toBe(false);
    expect(world.emulator.screen()).not.toContain('Starting');
  });
});

describe('Escape', () => {
  it('alone is distinguished from the beginning of an arrow that arrives in two pieces', async () => {
    const world = await openTerminal();
    await world.press('ab');
    await Promise.all([world.press(ESCAPE), world.press('[D')]);
    await world.press('x', ENTER);
    expect(world.session.submitted).toEqual(['axb']);
  });

  it('once is a hint, and says what the second one does', async () => {
    const world = await openTerminal();
    await escape(world);
    expect(world.emulator.screen()).toContain('Press Esc again to edit an earlier message.');
    await world.pass(1001);
    expect(world.emulator.screen()).not.toContain('Press Esc again');
    await escape(world);
    expect(world.emulator.screen()).not.toContain('There is no earlier message.');
    await escape(world);
    expect(world.emulator.screen()).toContain('There is no earlier message.');
  });

  it('after an interruption is the first one again', async () => {
    const messages = [{ role: 'user', content: 'one' }] as const;
    const world = await openTerminal({ session: createFakeSession({ messages, turns: 1 }), prompt: 'hello' });
    await escape(world);
    await escape(world);
    expect(world.session.calls).toEqual(['interrupt']);
    expect(world.emulator.screen()).not.toContain('Edit an earlier message');
  });

  it('interrupts from a permission request, and leaves the draft alone', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.press('my draft');
    await world.pass(500);
    world.session.report(permission());
    await escape(world);
    expect(world.session.decisions).toEqual([]);
    expect(world.session.calls).toEqual(['interrupt']);
    expect(world.emulator.screen()).toContain('> my draft');
  });
});

describe('a list to choose from', () => {
  const open = async (count: number, columns = 80): Promise<TerminalWorld> => {
    const sessions = Array.from({ length: count }, (_, at) => ({
      id: `session-${at}`,
      title: at === 3 ? '' : `日本語 title ${at}\nof two lines`,
      updatedAt: '2026-01-31T09:30:00.000Z',
      turns: at,
    }));
    const world = await openTerminal({
      columns,
      rows: 14,
      host: { sessions: async () => sessions, resume: async (id) => createFakeSession({ id }) },
    });
    await world.press('/sessions', ENTER);
    return world;
  };

  it('shows the part around the chosen item, and its place in the whole', async () => {
    const world = await open(250);
    expect(world.emulator.screen()).toContain('(1 of 100)');
    await world.press(PAGE_DOWN, PAGE_DOWN, '\x1b[B');
    expect(world.emulator.screen()).toMatch(/› 2026-01-31 09:30 {2}日本語 title 21 of two lines \(21 turns\)/);
    expect(world.emulator.screen()).toContain('(22 of 100)');
    await world.press(...Array.from({ length: 9 }, () => PAGE_DOWN));
    expect(world.emulator.screen()).toContain('(100 of 100)');
    await world.press(PAGE_UP, '\x1b[B', '\x1b[B');
    expect(world.emulator.screen()).toContain('(92 of 100)');
    await world.press(...Array.from({ length: 11 }, () => PAGE_UP));
    expect(world.emulator.screen()).toContain('(1 of 100)');
  });

  it('names a session without a title, and one turn', async () => {
    const world = await open(4);
    expect(world.emulator.screen()).toContain('Untitled (3 turns)');
    expect(world.emulator.screen()).toContain('title 1 of two lines (1 turn)');
  });

  it('is left by Escape without choosing, and other keys do nothing in it', async () => {
    const world = await open(3);
    await world.press('x', '\x15', '\t');
    expect(world.emulator.screen()).toContain('(1 of 3)');
    await escape(world);
    expect(world.emulator.screen()).not.toContain('(1 of 3)');
    await world.press('hello', ENTER);
    expect(world.session.submitted).toEqual(['hello']);
  });

  it('fits a narrow window', async () => {
    const world = await open(5, 24);
    const rows = world.emulator.screen().split('\n');
    expect(rows.filter((row) => row.includes('2026-01-31')).length).toBe(5);
    expect(world.emulator.clears).toBe(0);
  });
});
