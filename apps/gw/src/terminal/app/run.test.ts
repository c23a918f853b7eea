/* oxlint-disable no-control-regex -- terminals read them */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OpenedSession } from '../device/ports.ts';
import { permission } from '../testing/events.ts';
import { createFakeSession } from '../testing/fake-session.ts';
import { openTerminal } from '../testing/terminal-world.ts';

const ENTER = '\r';
const ESCAPE = '\x1b';
const UP = '\x1b[A';
const SHIFT_TAB = '\x1b[Z';

afterEach(() => vi.restoreAllMocks());

describe('messages', () => {
  test('what is typed is shown, and Enter sends it', async () => {
    const world = await openTerminal();
    await world.press('my question');
    expect(world.emulator.screen()).toContain('> my question');
    await world.press(ENTER);
    expect(world.session.submitted).toEqual(['my question']);
  });

  test('a prompt of the command line is sent at once', async () => {
    const world = await openTerminal({ prompt: 'from the command line' });
    expect(world.session.submitted).toEqual(['from the command line']);
  });

  test.each([
    ['a trailing backslash', ['first\\', ENTER, 'second', ENTER]],
    ['Shift+Enter of the kitty protocol', ['first', '\x1b[13;2u', 'second', ENTER]],
    ['Shift+Enter of xterm', ['first', '\x1b[27;2;13~', 'second', ENTER]],
    ['Alt+Enter', ['first', '\x1b\r', 'second', ENTER]],
    ['pasted lines', ['\x1b[200~first\rsecond\x1b[201~', ENTER]],
  ])('a new line: %s', async (_, keys) => {
    const world = await openTerminal();
    await world.press(...keys);
    expect(world.session.submitted).toEqual(['first\nsecond']);
  });

  test('a long pasted text is shown as one label and sent whole', async () => {
    const text = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
    const world = await openTerminal();
    await world.press('see ', `\x1b[200~${text}\x1b[201~`);
    expect(world.emulator.screen()).toContain('> see [Pasted text #1, 30 lines]');
    await world.press(ENTER);
    expect(world.session.submitted).toEqual([`see ${text}`]);
  });

  test('the path of an image becomes the image', async () => {
    const image = { type: 'image', url: 'data:image/png;base64,AA==' } as const;
    const world = await openTerminal({ host: { image: async (path) => (path === '/tmp/a.png' ? image : null) } });
    await world.press('look: ', '\x1b[200~/tmp/a.png\x1b[201~', ENTER);
    expect(world.session.submitted).toEqual([[{ type: 'text', text: 'look: [Image #1]' }, image]]);
  });

  test('arrows go through the history, and back to the draft', async () => {
    const world = await openTerminal({
      host: { history: { load: async () => ['older', 'old'], append: async () => undefined } },
    });
    await world.press('draft', UP, UP);
    expect(world.emulator.screen()).toContain('> older');
    await world.press('\x1b[B', '\x1b[B');
    expect(world.emulator.screen()).toContain('> draft');
  });

  test('a message that is sent during a turn waits, and ↑ takes it back', async () => {
    const world = await openTerminal({ prompt: 'first' });
    await world.press('second', ENTER, 'third', ENTER, UP, ' edited', ENTER);
    expect(world.session.submitted).toEqual(['first']);
    world.session.finish();
    await world.pass();
    world.session.finish();
    await world.pass();
    expect(world.session.submitted).toEqual(['first', 'second', 'third edited']);
  });

  test('what is typed before the session is open is sent when it is', async () => {
    const session = createFakeSession();
    const opening = Promise.withResolvers<OpenedSession>();
    const world = await openTerminal({ session, host: { open: () => opening.promise } });
    await world.press('early', ENTER, SHIFT_TAB);
    expect(session.submitted).toEqual([]);
    opening.resolve({ session, prompt: null, notices: [] });
    await world.pass();
    expect(session.submitted).toEqual(['early']);
    expect(session.mode).toBe('plan');
  });
});

test('commands that are typed before the session is open wait for it, but /exit does not', async () => {
  const session = createFakeSession();
  const opening = Promise.withResolvers<OpenedSession>();
  const world = await openTerminal({ session, host: { open: () => opening.promise } });
  await world.press('!ls', ENTER, '/title Named early', ENTER);
  opening.resolve({ session, prompt: null, notices: [] });
  await world.pass();
  expect(world.emulator.all()).toMatch(/\$ ls\nshell output/);
  expect(session.state.title).toBe('Named early');
  const never = await openTerminal({ host: { open: () => new Promise(() => undefined) } });
  await never.press('/exit', ENTER);
  expect(await never.ended).toBe(0);
});

describe('answers', () => {
  test('Markdown is rendered; the answer stays above', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'text', text: 'Some **BOLD** and ' }, { type: 'text', text: '`CODE`.' });
    world.session.report({ type: 'message-finished', text: '' });
    world.session.finish();
    await world.pass();
    expect(world.emulator.all()).toContain('Some BOLD and CODE.');
  });

  test('ten thousand lines: nothing is lost, nothing is cleared, and each drawing writes no more than the first', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    const costs: number[] = [];
    for (let at = 0; at < 10_000; at += 100) {
      const before = world.raw().length;
      const lines = Array.from({ length: 100 }, (_, index) => `- item ${String(at + index).padStart(5, '0')}\n`);
      world.session.report({ type: 'text', text: lines.join('') });
      await world.pass(50);
      costs.push(world.raw().length - before);
    }
    world.session.report({ type: 'message-finished', text: '' });
    world.session.finish();
    await world.pass();
    const shown = [...world.emulator.all().matchAll(/item (\d{5})/g)].map(([, number]) => Number(number));
    expect(shown).toEqual(Array.from({ length: 10_000 }, (_, at) => at));
    expect(world.emulator.clears).toBe(0);
    expect(Math.max(...costs.slice(50))).toBeLessThan(2 * Math.max(...costs.slice(0, 50)));
  }, 60_000);

  test('Escape interrupts, what was said stays, and queued messages return to the editor', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'text', text: 'BEGINNING of the' });
    await world.press('queued', ENTER, ESCAPE);
    expect(world.session.calls).toContain('interrupt');
    expect(world.emulator.all()).toMatch(/BEGINNING of the\n\nInterrupted\./);
    expect(world.emulator.screen()).toContain('> queued');
    expect(world.session.submitted).toEqual(['hello']);
  });

  test('output of a running call is shown while it runs, its end afterwards', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'tool-proposed', id: '1', tool: 'Bash', target: 'make' });
    world.session.report({ type: 'tool-output', id: '1', chunk: 'compiling\n\x1b[31mred\x1b[0m' });
    await world.pass();
    expect(world.emulator.screen()).toMatch(/● Bash make\n {2}compiling\n {2}red/);
    const content = Array.from({ length: 30 }, (_, at) => `row ${at}`).join('\n');
    world.session.report({
      type: 'tool-finished',
      id: '1',
      tool: 'Bash',
      target: 'make',
      outcome: 'succeeded',
      content,
    });
    await world.pass();
    expect(world.emulator.screen()).toMatch(/… 22 lines above\n {2}row 22\n[\s\S]*row 29/);
  });

  test('the gateway’s refusal is shown in its own words; a revoked session ends with 4', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.finish({
      status: 'refused',
      error: { message: 'This agent session was revoked.', status: 403, revoked: true },
    });
    await world.pass();
    expect(world.emulator.all()).toContain('The gateway refused: This agent session was revoked.');
    expect(await world.ended).toBe(4);
  });

  test('the end of a long turn is announced, unless the window has the focus', async () => {
    for (const [keys, bells] of [
      [[], 1],
      [['\x1b[I'], 0],
    ] as const) {
      const world = await openTerminal({ prompt: 'hello' });
      await world.press(...keys);
      await world.pass(20_000);
      world.session.finish();
      await world.pass();
      expect(world.raw().split('\x1b]9;').length - 1).toBe(bells);
    }
  });
});

describe('commands', () => {
  test('/help names every command and the keys', async () => {
    const world = await openTerminal();
    await world.press('/help', ENTER);
    const words = 'help clear model config mcp init compact resume fork title sessions jobs undo redo info exit';
    for (const name of words.split(' ')) expect(world.emulator.all()).toContain(`/${name} `);
    expect(world.emulator.all()).toContain('Shift+Tab');
  });

  test('/undo restores files and conversation', async () => {
    const world = await openTerminal({ prompt: 'change a.txt' });
    world.session.finish();
    await world.press('/undo', ENTER);
    expect(world.session.calls).toContain('rewind 1');
    expect(world.emulator.all()).toMatch(/Undone: “change a\.txt”\n\nRestored: a\.txt/);
  });

  test.each(['/exit', '/quit'])('%s leaves with 0, also during a turn', async (command) => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.press(command, ENTER);
    expect(await world.ended).toBe(0);
    expect(world.emulator.all()).toContain('gw --resume continues it.');
  });

  test('a command that does not exist is named; a path is a message', async () => {
    const world = await openTerminal();
    await world.press('/nothing', ENTER, '/usr/bin is a folder', ENTER);
    expect(world.emulator.all()).toContain('There is no command /nothing.');
    expect(world.session.submitted).toEqual(['/usr/bin is a folder']);
  });

  test('/model lists the models and takes the chosen one', async () => {
    const world = await openTerminal();
    await world.press('/model', ENTER, '\x1b[B', ENTER);
    expect(world.session.model.name).toBe('Other Model');
    expect(world.emulator.screen()).toContain('normal · Other Model');
  });

  test('/resume shows the conversation of the chosen session and closes the one before', async () => {
    const summary = { id: 'other', title: 'Another', updatedAt: '2026-01-31T09:30:00.000Z', turns: 1 };
    const messages = [
      { role: 'user', content: 'EARLIER QUESTION' },
      { role: 'assistant', content: 'EARLIER **ANSWER**' },
    ] as const;
    const resume = async (id: string) => createFakeSession({ id, messages });
    const world = await openTerminal({ host: { sessions: async () => [summary], resume } });
    await world.press('/resume', ENTER);
    expect(world.emulator.screen()).toContain('Another (1 turn)');
    await world.press(ENTER);
    await world.pass();
    expect(world.emulator.all()).toMatch(/> EARLIER QUESTION\n\nEARLIER ANSWER/);
    expect(world.session.calls).toContain('close');
  });

  test('@ completes paths of the project', async () => {
    const world = await openTerminal();
    await world.press('look at @termrun');
    await world.pass();
    expect(world.emulator.screen()).toContain('› src/terminal/run.ts');
    await world.press('\t', 'please', ENTER);
    expect(world.session.submitted).toEqual(['look at @src/terminal/run.ts please']);
  });
});

describe('other terminals', () => {
  test('without colours there are attributes alone, and in a dumb terminal not even these', async () => {
    for (const [palette, pattern] of [
      ['attributes', /\x1b\[(?:[\d;]*;)?(?:3\d|9\d)m/],
      ['plain', /\x1b\[[\d;]*m/],
    ] as const) {
      const world = await openTerminal({ palette, prompt: 'hello' });
      world.session.report({ type: 'text', text: '**BOLD** `code`\n\n```js\nconst a = 1;\n```\n' });
      world.session.finish({ status: 'failed', error: { message: 'no', status: null, revoked: false } });
      await world.pass();
      expect(world.emulator.all()).toContain('BOLD code');
      expect(world.raw()).not.toMatch(pattern);
    }
  });

  test('a screen reader gets everything once: no spinner, no status line, questions in words', async () => {
    const world = await openTerminal({ screenReader: true, prompt: 'hello' });
    world.session.report({ type: 'text', text: 'The answer.' }, { type: 'message-finished', text: '' });
    await world.pass(3000);
    world.session.report(permission());
    await world.pass();
    expect(world.raw().split('The answer.')).toHaveLength(2);
    expect(world.raw()).not.toMatch(/[⠋⠙⠹]/);
    expect(world.emulator.all()).toContain('Permission needed: allow Bash echo one? Bash asks by default.');
  });
});
