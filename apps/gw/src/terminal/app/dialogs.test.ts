import { describe, expect, it } from 'vitest';
import { finished, permission } from '../testing/events.ts';
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

describe('what is edited of a call', () => {
  it.each([
    ['Write', { file_path: 'a.txt', content: 'text' }, 'the content of the file', 'text'],
    ['Edit', { file_path: 'a.txt', old_string: 'a', new_string: 'b' }, 'the new text', 'b'],
    ['Fetch', { url: 'https://a.example' }, 'the address', 'https://a.example'],
    ['MultiEdit', { file_path: 'a.txt' }, 'the arguments (JSON)', '{'],
    ['Bash', { command: 7 }, 'the arguments (JSON)', '{'],
  ])('%s: what matters of it', async (tool, args, label, first) => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission({ tool, arguments: JSON.stringify(args), preview: null }));
    await world.press('e');
    expect(world.emulator.screen()).toContain(
      `Edit ${label}. Enter approves the edited call, Esc goes back.\n> ${first}`,
    );
  });

  it('as JSON is checked before the call is approved', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission({ tool: 'mcp__docs__find', arguments: '{"query":"x"}', preview: null }));
    await world.press('e', '\x7f', ENTER);
    expect(world.emulator.screen()).toContain('This is not a JSON object. Correct it, or press Esc.');
    expect(world.session.decisions).toEqual([]);
    await world.press('}', ENTER);
    expect(world.session.decisions.map((each) => JSON.parse(String(Object.values(each)[1])))).toEqual([{ query: 'x' }]);
  });

  it('that are no JSON at all can be corrected', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission({ arguments: 'torn {', preview: null }));
    await world.press('e');
    expect(world.emulator.screen()).toContain('> torn {');
    await world.press('\x15', '{}', ENTER);
    expect(world.session.decisions).toEqual([{ decision: 'allow', arguments: '{}' }]);
  });

  it('is shown by its result alone: what was asked for is not what was done', async () => {
    const preview = { kind: 'diff', path: 'a.txt', before: null, after: 'first\n' } as const;
    const world = await openTerminal({ prompt: 'hello' });
    const args = JSON.stringify({ file_path: 'a.txt', content: 'first' });
    world.session.report({ type: 'tool-proposed', id: '1', tool: 'Write', target: 'a.txt' });
    world.session.report(permission({ tool: 'Write', arguments: args, preview }));
    await world.pass();
    await world.press('e', '\x15', 'second', ENTER);
    const display = { ...preview, after: 'second\n' };
    world.session.report(finished({ tool: 'Write', target: 'a.txt', content: 'Written.', display }));
    await world.pass();
    expect(world.emulator.all()).toMatch(/\+ first[\s\S]*\+ second/);
  });
});

describe('a key at a permission request', () => {
  it.each(['x', 'yes', 'Y ', '\r', '\t', ' '])('that is no answer decides nothing: %j', async (key) => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission());
    await world.pass();
    await world.press(key);
    expect(world.session.decisions).toEqual([]);
  });

  it.each(['Y', 'A', 'P'])('counts as a capital letter, too: %s', async (key) => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission());
    await world.press(key);
    expect(world.session.decisions).toHaveLength(1);
  });

  it.each(['a', 'p'])('saves the rule that w chose, and the exact call otherwise: %s', async (key) => {
    const rules = ['Bash(echo)', 'Bash(echo *)'];
    const remember = key === 'a' ? 'session' : 'project';
    const offers = [['Bash(echo one)'], rules];
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission({ offers }), permission({ id: 'p2', call: '2', offers }));
    await world.press('w');
    expect(world.emulator.screen()).toContain('Bash(echo), Bash(echo *) again in this session');
    await world.press(key, 'w', 'w', key);
    expect(world.session.decisions).toEqual([
      { decision: 'allow', remember, rules },
      { decision: 'allow', remember },
    ]);
  });

  it.each([
    ['y', [{ decision: 'allow' }]],
    ['o', [{ decision: 'each' }]],
    ['a', []],
  ])('answers for several calls of one answer: %s', async (key, decisions) => {
    const world = await openTerminal({ prompt: 'hello' });
    const preview = { kind: 'diff', path: 'b.txt', before: null, after: 'new\n' } as const;
    const second = {
      call: '2',
      tool: 'Write',
      target: { kind: 'path', value: 'b.txt' },
      arguments: '{}',
      preview,
    } as const;
    world.session.report(permission({ more: [second] }));
    await world.pass();
    expect(world.emulator.all()).toContain('+ new');
    expect(world.emulator.screen()).toContain('? Allow these 2 calls?\n    Bash echo one\n    Write b.txt\n');
    expect(world.emulator.screen()).toContain('y yes, all  o one by one  n no  Esc stop');
    await world.press(key);
    expect(world.session.decisions).toEqual(decisions);
  });

  it('for several commands of one answer shows each once', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    const second = {
      call: '2',
      tool: 'Bash',
      target: { kind: 'command', value: 'echo two' },
      arguments: '{}',
    } as const;
    const preview = { kind: 'command', command: 'echo two' } as const;
    for (const [id, target] of [
      ['1', 'echo one'],
      ['2', 'echo two'],
    ] as const)
      world.session.report({ type: 'tool-proposed', id, tool: 'Bash', target });
    world.session.report(permission({ more: [{ ...second, preview }] }));
    await world.pass();
    expect(world.emulator.screen()).toContain('\n\n? Allow these 2 calls as shown above?\n');
    for (const command of ['echo one', 'echo two'])
      expect(world.emulator.all().split(command), command).toHaveLength(2);
  });

  it('that is pasted decides nothing', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(permission());
    await world.press('\x1b[200~y\x1b[201~');
    expect(world.session.decisions).toEqual([]);
  });

  it('answers the requests one after the other, in their order', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report(
      permission(),
      permission({ id: 'p2', call: '2', target: { kind: 'command', value: 'echo two' } }),
    );
    await world.press('y', 'n', '\r');
    expect(world.session.calls).toEqual(['decide p1', 'decide p2']);
    expect(world.session.decisions).toEqual([{ decision: 'allow' }, { decision: 'deny' }]);
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

  it('does not take the keys of a message that is being written: the message is the answer', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.press('take versi');
    world.session.report({ type: 'question', id: 'q', question: 'Which?', options: ['one', 'two'] });
    await world.press('o', 'n', ' ', '2', ENTER);
    expect(world.session.calls).toEqual(['answer q take version 2']);
  });

  it('takes a key when nobody was writing, and leaves a draft alone', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    await world.press('my draft');
    world.session.report({ type: 'question', id: 'q', question: 'Which?', options: ['one', 'two'] });
    await world.pass(500);
    await world.press('2');
    expect(world.session.calls).toEqual(['answer q two']);
    expect(world.emulator.screen()).toContain('> my draft');
  });

  it.each([
    ['0', []],
    ['4', []],
    ['3', []],
    ['x', []],
    ['1', ['answer q one']],
  ])('with two options takes the key %s as %j', async (key, calls) => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'question', id: 'q', question: 'Which?', options: ['one', 'two'] });
    await world.press(key);
    expect(world.session.calls).toEqual(calls);
  });

  it('goes back from the own answer to the options with an arrow, while nothing is written', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    world.session.report({ type: 'question', id: 'q', question: 'Which?', options: ['one', 'two'] });
    await world.press('\x1b[B', '\x1b[B', '\x1b[B');
    await world.press('3');
    expect(world.emulator.screen()).toContain('Your answer to: Which?');
    await world.press('\x7f');
    await world.pass(500);
    await world.press('\x1b[A', ENTER);
    expect(world.session.calls).toEqual(['answer q two']);
  });

  it('comes after another one, and each gets its own answer', async () => {
    const world = await openTerminal({ prompt: 'hello' });
    for (const id of ['q', 'r'])
      world.session.report({ type: 'question', id, question: `Which ${id}?`, options: ['one'] });
    await world.press('1');
    expect(world.emulator.screen()).toContain('? Which r?');
    await world.press('1');
    expect(world.session.calls).toEqual(['answer q one', 'answer r one']);
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
