import { describe, expect, it } from 'vitest';
import { permission } from '../testing/events.ts';
import { openTerminal } from '../testing/terminal-world.ts';

const ENTER = '\r';

describe('a call that is edited before it is approved', () => {
  it('sends no control character of the model to the terminal, and keeps it in the call', async () => {
    const command = 'echo \x1b]52;c;ZXZpbA==\x07\x1b[8m \u202ehidden\r';
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(
      permission({
        target: { kind: 'command', value: command },
        arguments: JSON.stringify({ command }),
        preview: { kind: 'command', command },
      }),
    );
    await world.press('e');
    expect(world.raw()).not.toContain('\x1b]52');
    expect(world.raw()).not.toContain('\x1b[8m');
    expect(world.raw()).not.toContain('\u202e');
    expect(world.emulator.screen()).toContain('> echo ␛]52;c;ZXZpbA==␇␛[8m');
    await world.press(' #', ENTER);
    expect(world.session.decisions).toEqual([
      { decision: 'allow', arguments: JSON.stringify({ command: `${command} #` }) },
    ]);
  });
});

describe('a question of the model', () => {
  it('may have several lines, which stay above with the answer', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'question', id: 'q', question: 'Two ways:\n- one\n- two', options: ['one', 'two'] });
    await world.pass();
    expect(world.emulator.screen()).toContain('? Two ways:\n  - one\n  - two\n› 1. one\n  2. two');
    await world.press('2');
    expect(world.session.calls).toContain('answer q two');
    expect(world.emulator.all()).toContain('? Two ways:\n  - one\n  - two\n  two');
  });

  it('is declined by Escape, and answered in own words behind the options', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'question', id: 'q', question: 'Which?', options: ['one'] });
    await world.press('\x1b');
    await world.pass();
    expect(world.session.calls).toContain('answer q null');
    world.session.report({ type: 'question', id: 'r', question: 'Which?', options: ['one'] });
    await world.press('\x1b[B', ENTER, 'neither', ENTER);
    expect(world.session.calls).toContain('answer r neither');
  });
});
