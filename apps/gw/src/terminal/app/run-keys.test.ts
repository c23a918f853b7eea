/* oxlint-disable no-control-regex -- terminals read them */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AgentEvent } from '../../agent/types/index.ts';
import { permission } from '../testing/events.ts';
import { createFakeSession } from '../testing/fake-session.ts';
import { openTerminal } from '../testing/terminal-world.ts';

const ENTER = '\r';
const ESCAPE = '\x1b';
const UP = '\x1b[A';
const SHIFT_TAB = '\x1b[Z';
const CTRL_C = '\x03';

afterEach(() => vi.restoreAllMocks());

describe('permissions', () => {
  test.each([
    ['y', { decision: 'allow' }],
    ['a', { decision: 'allow', remember: 'session' }],
    ['p', { decision: 'allow', remember: 'project' }],
  ])('%s', async (key, decision) => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission());
    await world.pass();
    expect(world.emulator.screen()).toMatch(/\$ echo one[\s\S]*\? Allow Bash as shown above\?[\s\S]*y yes/);
    await world.press(key);
    expect(world.session.decisions).toEqual([decision]);
    expect(world.emulator.screen()).not.toContain('? Allow');
  });

  test('n asks for a reason, which the model gets; Escape goes back to the question', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission());
    await world.press('n', ESCAPE);
    await world.pass(40);
    expect(world.emulator.screen()).toContain('? Allow Bash');
    await world.press('n', 'use rg', ENTER);
    expect(world.session.decisions).toEqual([{ decision: 'deny', reason: 'The user denied it: use rg' }]);
  });

  test('e edits the argument; Escape goes back to the question', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission());
    await world.press('e', ESCAPE);
    await world.pass(40);
    expect(world.emulator.screen()).toContain('? Allow Bash');
    await world.press('e', ' two', ENTER);
    expect(world.session.decisions).toEqual([
      { decision: 'allow', arguments: '{"command":"echo one two","timeout_seconds":5}' },
    ]);
  });

  test('a letter of a message that is being written decides nothing', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.press('ma');
    world.session.report(permission());
    await world.press('y');
    expect(world.session.decisions).toEqual([]);
    await world.pass(500);
    await world.press('y');
    expect(world.session.decisions).toHaveLength(1);
  });

  test('a change is shown with the words that changed, and what is invisible is named', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    const preview = {
      kind: 'diff',
      path: 'a\u202etxt',
      before: 'the alpha line\n',
      after: 'the BETA\u200b line\n',
    } as const;
    world.session.report(permission({ tool: 'Edit', preview }));
    await world.pass();
    expect(world.emulator.screen()).toContain('a<U+202E>txt +1 -1');
    expect(world.raw()).toMatch(/the \x1b\[0m\x1b\[7;31malpha/);
    expect(world.emulator.screen()).toContain('BETA<U+200B>');
  });
});

describe('questions of the model', () => {
  const question: AgentEvent = { type: 'question', id: 'q', question: 'Which?', options: ['this', 'that'] };

  test.each([
    ['an arrow and Enter', ['\x1b[B', ENTER], 'answer q that'],
    ['a number', ['1'], 'answer q this'],
    ['an own answer', ['3', 'neither', ENTER], 'answer q neither'],
    ['Escape declines', [ESCAPE, ''], 'answer q null'],
  ])('%s', async (_, keys, call) => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(question);
    await world.press(...keys);
    await world.pass(40);
    expect(world.session.calls).toContain(call);
  });
});

describe('keys', () => {
  test('Shift+Tab cycles the modes, and each is named', async () => {
    const world = await openTerminal();
    for (const mode of ['plan', 'auto', 'normal'] as const) {
      await world.press(SHIFT_TAB);
      expect(world.session.mode).toBe(mode);
      expect(world.emulator.screen().toLowerCase()).toContain(`${mode} mode`);
    }
  });

  test('Ctrl-C clears the line; twice within a second it leaves', async () => {
    const world = await openTerminal();
    await world.press('some words', CTRL_C);
    expect(world.emulator.screen()).not.toContain('some words');
    await world.pass(1500);
    await world.press('more', CTRL_C);
    await world.pass(1500);
    await world.press(CTRL_C, CTRL_C);
    expect(await world.ended).toBe(0);
    expect(world.session.calls).toContain('close');
  });

  test('Escape twice: an earlier message is chosen, the rest is dropped, and it can be edited', async () => {
    const messages = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }) as const);
    const world = await openTerminal({ session: createFakeSession({ messages, turns: 3 }) });
    await world.press(ESCAPE);
    await world.pass(40);
    await world.press(ESCAPE);
    await world.pass(40);
    await world.press(UP, ENTER);
    expect(world.session.calls).toContain('rewind 2');
    expect(world.emulator.screen()).toContain('> two');
  });

  test('a window that becomes narrower or lower keeps the live part within it', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'text', text: 'word '.repeat(200) });
    await world.press('x'.repeat(100));
    await world.resize(30, 8);
    await world.pass();
    expect(world.emulator.screen()).toContain('normal · Test Model');
  });
});

describe('the transcript', () => {
  const CTRL_O = '\x0f';
  const messages = [
    { role: 'user' as const, content: 'first' },
    { role: 'assistant' as const, content: Array.from({ length: 60 }, (_, at) => `row ${at}`).join('\n\n') },
  ];

  test('takes the whole window, scrolls, and gives it back as it was, with what came meanwhile', async () => {
    const world = await openTerminal({ session: createFakeSession({ messages }), prompt: 'hello' });
    await world.pass();
    const before = world.emulator.screen().split('\n').slice(0, 10);
    await world.press(CTRL_O);
    expect(world.emulator.screen()).toContain('Transcript, 100%');
    await world.press('g');
    expect(world.emulator.screen()).toMatch(/^\n> first\n\nrow 0/);
    await world.resize(60, 12);
    expect(world.emulator.screen()).toMatch(/^\n> first\n\nrow 0/);
    await world.resize(80, 24);
    world.session.report({ type: 'notice', level: 'info', text: 'It came meanwhile.' });
    await world.pass();
    expect(world.emulator.screen()).not.toContain('It came meanwhile.');
    await world.press(ESCAPE);
    await world.pass();
    const all = world.emulator.all();
    expect(all).toContain(before.join('\n'));
    expect(all.match(/It came meanwhile\./g)).toHaveLength(1);
    expect(all).not.toContain('Transcript, ');
  });

  test('shows the result of each call below the call', async () => {
    const call = (id: string, command: string) => ({ id, name: 'Bash', arguments: JSON.stringify({ command }) });
    const called = [
      { role: 'assistant', content: '', toolCalls: [call('1', 'make'), call('2', 'ls'), call('3', 'sleep 9')] },
      { role: 'tool', callId: '1', content: 'no rule', outcome: 'failed' },
      { role: 'tool', callId: '2', content: 'a.txt' },
    ] as const;
    const world = await openTerminal({ session: createFakeSession({ messages: called }) });
    await world.press(CTRL_O);
    expect(world.emulator.screen()).toContain(
      '● Bash\n  command: make\n  failed\n  no rule\n\n● Bash\n  command: ls\n  a.txt\n\n● Bash\n  command: sleep 9\n  no result yet',
    );
  });

  test('is left with the program', async () => {
    const world = await openTerminal({ session: createFakeSession({ messages }) });
    await world.press(CTRL_O);
    await world.interrupt();
    expect(world.raw().lastIndexOf('\x1b[?1049l')).toBeGreaterThan(world.raw().lastIndexOf('\x1b[?1049h'));
  });

  test('is printed for a screen reader', async () => {
    const world = await openTerminal({ session: createFakeSession({ messages }), screenReader: true });
    await world.press(CTRL_O);
    expect(world.emulator.all().match(/row 59/g)).toHaveLength(2);
  });
});
