import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { use } from '../testing/session-world.ts';
import { openEditor } from './testing/editor.ts';

describe('calls of tools', () => {
  it('asks with the change to be made, then writes it', async () => {
    const editor = await openEditor();
    editor.world.write('work/shop/a.txt', 'one\n');
    editor.world.engine.play([
      use('Read', { file_path: 'a.txt' }),
      use('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
      'Done.',
    ]);
    editor.choices.push('allow_once');
    const path = join(editor.world.project, 'a.txt');
    expect(await editor.say(await editor.open(), 'Change it')).toBe('end_turn');
    const diff = { type: 'diff', path, oldText: 'one\n', newText: 'two\n' };
    expect(editor.asked[0]?.toolCall).toMatchObject({
      title: 'Edit a.txt',
      kind: 'edit',
      locations: [{ path }],
      rawInput: { new_string: 'two' },
      content: [{ type: 'content' }, diff],
    });
    expect(editor.of('tool_call').map(({ kind, title }) => [kind, title])).toEqual([
      ['read', 'Read a.txt'],
      ['edit', 'Edit a.txt'],
    ]);
    expect(editor.of('tool_call_update').at(-1)).toMatchObject({ status: 'completed', content: [diff] });
    expect(readFileSync(path, 'utf8')).toBe('two\n');
  });

  it('denies a rejected call, ends the turn and records the author of the decision', async () => {
    const editor = await openEditor();
    editor.world.engine.play([use('Write', { file_path: 'b.txt', content: 'x' })]);
    const id = await editor.open();
    expect(await editor.say(id, 'Write')).toBe('end_turn');
    expect(editor.of('tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
    expect(existsSync(join(editor.world.project, 'b.txt'))).toBe(false);
    await editor.close();
    const record = readFileSync(join(editor.world.home, '.gateway', 'record', `${id}.jsonl`), 'utf8');
    const kinds = record
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual([
      'session-started',
      'authentication',
      'prompt',
      'proposed-action',
      'human-decision',
      'session-ended',
    ]);
  });

  it('remembers an exact call', async () => {
    const editor = await openEditor();
    const write = use('Write', { file_path: 'c.txt', content: 'x' });
    editor.world.engine.play([write, write, 'Done.']);
    editor.choices.push('allow_always');
    expect(await editor.say(await editor.open(), 'Twice')).toBe('end_turn');
    expect(editor.asked).toHaveLength(1);
  });

  it('shows the checklist as a plan alone', async () => {
    const editor = await openEditor();
    const items = [
      { text: 'Look', state: 'done' },
      { text: 'Act', state: 'doing' },
    ];
    editor.world.engine.play([use('Checklist', { items }), 'Done.']);
    await editor.say(await editor.open(), 'Plan');
    expect(editor.of('plan')[0]?.entries).toEqual([
      { content: 'Look', priority: 'medium', status: 'completed' },
      { content: 'Act', priority: 'medium', status: 'in_progress' },
    ]);
    expect(editor.of('tool_call')).toEqual([]);
  });

  it('asks questions as a choice, as a form, or leaves them to the answer', async () => {
    const choose = use('AskQuestion', { question: 'Which?', options: ['red', 'blue'] });
    const plain = await openEditor();
    plain.world.engine.play([choose, use('AskQuestion', { question: 'Why?' }), 'Done.']);
    plain.choices.push('allow_once');
    await plain.say(await plain.open(), 'Ask');
    expect(plain.world.engine.results()).toEqual(['red', expect.stringContaining('Ask it in your answer')]);
    const forms = await openEditor({ elicitation: { form: {} } });
    forms.world.engine.play([choose, choose, 'Done.']);
    forms.answers.push('green');
    await forms.say(await forms.open(), 'Ask');
    expect(forms.world.engine.results()).toEqual(['green', 'The user did not answer.']);
  });
});

describe('what the editor lends', () => {
  const fs = { readTextFile: true, writeTextFile: true };

  it('reads and writes the text of the editor, with unchanged line ends', async () => {
    const editor = await openEditor({ fs });
    const path = editor.world.write('work/shop/a.txt', 'saved\r\n');
    editor.files.set(path, 'not saved\n');
    editor.world.engine.play([
      use('Read', { file_path: 'a.txt' }),
      use('Edit', { file_path: 'a.txt', old_string: 'not saved', new_string: 'changed' }),
      'Done.',
    ]);
    editor.choices.push('allow_once');
    await editor.say(await editor.open(), 'Change');
    expect(editor.world.engine.results()[0]).toBe('1\tnot saved');
    expect(editor.files.get(path)).toBe('changed\r\n');
    expect(readFileSync(path, 'utf8')).toBe('saved\r\n'); // the editor saves
  });

  it('leaves files with a byte-order mark to the disk', async () => {
    const editor = await openEditor({ fs });
    const path = editor.world.write('work/shop/a.txt', '\ufeffone\n');
    editor.files.set(path, 'one\n');
    editor.world.engine.play([
      use('Read', { file_path: 'a.txt' }),
      use('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
      'Done.',
    ]);
    editor.choices.push('allow_once');
    await editor.say(await editor.open(), 'Change');
    expect(readFileSync(path, 'utf8')).toBe('\ufefftwo\n');
  });

  it('runs commands in its terminals, and shows them in the call', async () => {
    const editor = await openEditor({ terminal: true }, { variables: { GATEWAY_KEY: 'gwk_secret' } });
    editor.world.engine.play([use('Bash', { command: 'npm test' }), 'Done.']);
    editor.choices.push('allow_once');
    await editor.say(await editor.open(), 'Test');
    expect(editor.commands[0]?.slice(0, 3)).toEqual(['env', '-u', 'GATEWAY_KEY']);
    expect(editor.commands[0]?.slice(-2)).toEqual(['-c', 'npm test']);
    expect(editor.world.engine.results()[0]).toBe('from the editor\n[exit code 0]');
    expect(editor.of('tool_call_update').at(-1)?.content).toEqual([{ type: 'terminal', terminalId: 'terminal-1' }]);
  });
});
