import { describe, expect, it } from 'vitest';
import { openTerminal } from '../../testing/terminal-world.ts';
import { COMMANDS } from './index.ts';

const ENTER = '\r';

describe('/help', () => {
  it.each([30, 80, 200])('shows each command once with what it does, in %i columns', async (columns) => {
    const world = await openTerminal({ columns, rows: 100 });
    await world.press('/help', ENTER);
    const text = world.emulator.all();
    for (const { name } of COMMANDS) expect(text.match(new RegExp(`^/${name} {2,}\\S`, 'gm')), name).toHaveLength(1);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'run a command yourself; the model gets its output with the next message',
    );
  });

  it('helps during a turn, too', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.press('/help', ENTER);
    expect(world.emulator.all()).toContain('/compact');
  });
});

describe('a text that begins with a slash', () => {
  it.each(['/usr/bin/env is a program', '/ compact', '//', '/etc/passwd'])(
    'is a message where it names no command: %s',
    async (text) => {
      const world = await openTerminal();
      await world.press(text, ENTER);
      expect(world.session.submitted).toEqual([text]);
    },
  );

  it('of several lines is a command with all of them', async () => {
    const world = await openTerminal();
    await world.press('/title one', '\x1b\r', 'two', ENTER);
    expect(world.session.state.title).toBe('one\ntwo');
  });

  it('that is misspelt is not sent to the model', async () => {
    const world = await openTerminal();
    await world.press('/COMPACT', ENTER, '/compactt now', ENTER);
    expect(world.emulator.all()).toContain('There is no command /COMPACT. /help lists them.');
    expect(world.emulator.all()).toContain('There is no command /compactt. /help lists them.');
    expect([world.session.submitted, world.session.calls]).toEqual([[], []]);
  });
});

describe('the first line', () => {
  it.each([
    ['/home/casey/shop', '/home/casey', '~/shop'],
    ['/home/casey', '/home/casey', '~'],
    ['/home/casey2/shop', '/home/casey', '/home/casey2/shop'],
    ['/srv/home/casey/shop', '/home/casey', '/srv/home/casey/shop'],
    ['/srv/shop', '/', '/srv/shop'],
    ['/srv/shop', null, '/srv/shop'],
  ])('names the project %s in the home %s as %s', async (project, home, shown) => {
    const world = await openTerminal({ host: { project, home } });
    expect(world.emulator.all()).toContain(`gw 1.0.0 · Test Model · ${shown}\n`);
  });

  it('is whole in a narrow window, and cannot steer it', async () => {
    const world = await openTerminal({ columns: 24, host: { project: `/srv/${'very-long-'.repeat(8)}\x1b[2J` } });
    expect(world.emulator.all().replaceAll('\n', '')).toContain('very-long-'.repeat(8));
    expect(world.emulator.clears).toBe(0);
  });
});
