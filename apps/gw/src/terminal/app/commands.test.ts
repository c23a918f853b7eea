import { describe, expect, it } from 'vitest';
import type { AgentSession, Restored } from '../../agent/types/index.ts';
import { createFakeSession } from '../testing/fake-session.ts';
import { openTerminal, type WorldOptions } from '../testing/terminal-world.ts';
import { COMMANDS } from './commands.ts';

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

const summary = { id: 'other', title: 'Another', updatedAt: '2026-01-31T09:30:00.000Z', turns: 1 };
/** Opens a terminal, sends one command, and gives what is shown then. */
async function after(command: string, options: WorldOptions = {}) {
  const world = await openTerminal(options);
  await world.press(command, ENTER);
  await world.pass();
  return { ...world, text: world.emulator.all() };
}

describe('/resume and /sessions', () => {
  it.each(['/resume', '/sessions'])('%s does not offer the session that is open', async (command) => {
    const session = createFakeSession();
    const sessions = async () => [{ ...summary, id: session.state.id }];
    const { text } = await after(command, { session, host: { sessions } });
    expect(text).toContain('There is no other session of this project.');
  });

  it('say why the list cannot be read', async () => {
    const sessions = async () => Promise.reject(new Error('sessions/ cannot be read.'));
    expect((await after('/resume', { host: { sessions } })).text).toContain(
      '/resume failed: sessions/ cannot be read.',
    );
  });

  it('stay in the open session where the chosen one cannot be opened, and say why', async () => {
    const resume = async () => Promise.reject(new Error('It is open already, in process 7.'));
    const world = await after('/resume', { host: { sessions: async () => [summary], resume } });
    await world.press(ENTER);
    await world.pass();
    expect(world.emulator.all()).toContain('Failed: It is open already, in process 7.');
    await world.press('still here', ENTER);
    expect(world.session.submitted).toEqual(['still here']);
    expect(world.session.calls).toEqual([]);
  });

  it('send what is typed meanwhile to the session that was chosen', async () => {
    const opening = Promise.withResolvers<AgentSession>();
    const other = createFakeSession({ id: 'other' });
    const world = await after('/resume', { host: { sessions: async () => [summary], resume: () => opening.promise } });
    await world.press(ENTER, 'for the other', ENTER);
    expect(world.emulator.screen()).toContain('Opening');
    opening.resolve(other);
    await world.pass();
    expect([world.session.submitted, other.submitted]).toEqual([[], ['for the other']]);
  });

  it('take the model, the tokens and the checklist of the chosen session, and keep the mode', async () => {
    const checklist = [{ text: 'Act', state: 'doing' }] as const;
    const usage = { inputTokens: 2000, outputTokens: 300, calls: 2 };
    const other = createFakeSession({ checklist, usage, contextTokens: 5000, cost: 1.5 });
    const world = await openTerminal({ host: { sessions: async () => [summary], resume: async () => other } });
    await world.press('\x1b[Z', '/resume', ENTER, ENTER);
    await world.pass(5000);
    expect(other.mode).toBe('plan');
    expect(world.emulator.screen().split('\n').at(-1)).toBe(
      'plan mode · Test Model · context 50% · 2.0k in, 300 out · €1.50',
    );
    await world.press('go', ENTER);
    expect(world.emulator.screen()).toContain('▶ Act');
  });
});

describe('/clear and /fork', () => {
  it('/clear begins an empty conversation, and shows nothing of the old one any more', async () => {
    const fresh = createFakeSession();
    const world = await openTerminal({ prompt: 'old', host: { fresh: async () => fresh } });
    world.session.finish();
    await world.press('/clear', ENTER);
    await world.pass();
    world.session.report({ type: 'text', text: 'LATE WORDS' }, { type: 'message-finished', text: '' });
    await world.press('new', ENTER);
    expect([world.session.submitted, fresh.submitted]).toEqual([['old'], ['new']]);
    expect(world.session.calls).toEqual(['close']);
    expect(world.emulator.all()).not.toContain('LATE WORDS');
  });

  it('/fork names the session that stays', async () => {
    const { text } = await after('/fork');
    expect(text).toContain('This is a copy; 01890000-0000-7000-8000-000000000001 stays as it is.');
  });

  it('that fail leave the session open, and what was queued is sent to it', async () => {
    const opening = Promise.withResolvers<AgentSession>();
    const world = await after('/clear', { host: { fresh: () => opening.promise } });
    await world.press('queued', ENTER);
    opening.reject(new Error('The record cannot be written.'));
    await world.pass();
    expect(world.emulator.all()).toContain('Failed: The record cannot be written.');
    expect(world.session.submitted).toEqual(['queued']);
  });
});

describe('/title', () => {
  it('shows the title, and sets it, also while a turn runs', async () => {
    expect((await after('/title')).text).toContain('A title');
    expect((await after('/title', { session: createFakeSession({ title: '' }) })).text).toContain(
      'This session has no title yet.',
    );
    const world = await after('/title  Fix the parser. ', { prompt: 'hello' });
    expect(world.session.state.title).toBe('Fix the parser.');
    expect(world.text).toContain('New title: “Fix the parser.”\n');
  });

  it('that cannot be stored is said', async () => {
    const session = createFakeSession();
    session.setTitle = async () => Promise.reject(new Error('The disk is full.'));
    expect((await after('/title x', { session })).text).toContain('/title failed: The disk is full.');
  });
});

describe('/undo and /redo', () => {
  const withSnapshots = (restored: Restored | null, change = {}) => {
    const session = createFakeSession(change);
    Object.assign(session.snapshots, { undo: async () => restored, redo: async () => restored });
    return session;
  };
  const messages = [{ role: 'user', content: `${'a long message '.repeat(10)}\nsecond line` }] as const;

  it('name the files that came back, and those that were changed since then', async () => {
    const restored = { turn: 1, files: ['a.txt', 'b.txt'], conflicts: ['c\x1b[31m.txt'] };
    const { text } = await after('/undo', { session: withSnapshots(restored, { messages, turns: 1 }) });
    expect(text).toContain(`Undone: “${'a long message '.repeat(4)}…”\n`);
    expect(text).not.toContain('second line”');
    expect(text).toContain('Restored: a.txt, b.txt');
    expect(text).toContain('Not changed, because they were changed since then: c.txt');
  });

  it('say that no file was changed, and that there is nothing to undo', async () => {
    const { text } = await after('/undo', { session: withSnapshots(null, { messages, turns: 1 }) });
    expect(text).toContain('No file was changed.');
    const nothing = await after('/undo', { session: withSnapshots(null) });
    expect(nothing.emulator.screen()).toContain('There is nothing to undo.');
  });

  it('say that there is nothing to redo, and name the message that came back', async () => {
    const nothing = await after('/redo', { session: withSnapshots(null) });
    expect(nothing.emulator.screen()).toContain('There is nothing to redo.');
    const session = withSnapshots({ turn: 1, files: [], conflicts: [] });
    session.restore = async () => ['the message'];
    expect((await after('/redo', { session })).text).toMatch(/Redone: “the message”\n\nNo file was changed\./);
  });

  it('that fail say why, and the conversation stays', async () => {
    const session = withSnapshots(null, { messages, turns: 1 });
    Object.assign(session.snapshots, { undo: async () => Promise.reject(new Error('git is missing.')) });
    const { text } = await after('/undo', { session });
    expect(text).toContain('Failed: git is missing.');
    expect(session.calls).toEqual([]);
  });
});
