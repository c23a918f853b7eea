import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { use } from '../testing/session-world.ts';
import { openEditor } from './testing/editor.ts';

const fs = { readTextFile: true, writeTextFile: true };

describe('an editor that fails', () => {
  it('to write a file that it has open: nobody else writes it, and the model learns why', async () => {
    const editor = await openEditor({ fs });
    const path = editor.world.write('work/shop/a.txt', 'one\n');
    editor.files.set(path, 'one\n');
    editor.failing.add('write');
    editor.choices.push('allow_once');
    editor.world.engine.play([
      use('Read', { file_path: 'a.txt' }),
      use('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
      'I could not.',
    ]);
    expect(await editor.say(await editor.open(), 'Change it')).toBe('end_turn');
    expect(editor.world.engine.results()[1]).toContain(`The editor did not write ${path}: The editor is busy.`);
    expect(readFileSync(path, 'utf8')).toBe('one\n');
    expect(editor.of('tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
  });

  it('to write a file that it never saw: it is written on the disk', async () => {
    const editor = await openEditor({ fs });
    editor.failing.add('write');
    editor.choices.push('allow_once');
    editor.world.engine.play([use('Write', { file_path: 'new.txt', content: 'new\n' }), 'Done.']);
    await editor.say(await editor.open(), 'Write it');
    expect(readFileSync(join(editor.world.project, 'new.txt'), 'utf8')).toBe('new\n');
  });

  it('to give a file: the one on the disk is read', async () => {
    const editor = await openEditor({ fs });
    editor.world.write('work/shop/a.txt', 'on the disk\n');
    editor.world.engine.play([use('Read', { file_path: 'a.txt' }), 'Done.']);
    await editor.say(await editor.open(), 'Read it');
    expect(editor.world.engine.results()).toEqual(['1\ton the disk']);
  });

  it('to open a terminal: the command runs without one', async () => {
    const editor = await openEditor({ terminal: true });
    editor.failing.add('terminal');
    editor.choices.push('allow_once');
    editor.world.engine.play([use('Bash', { command: 'echo on this machine' }), 'Done.']);
    await editor.say(await editor.open(), 'Run it');
    expect(editor.world.engine.results()).toEqual(['on this machine\n[exit code 0]']);
    expect(editor.commands).toEqual([]);
  });

  it('while a command runs: the model learns that its end is not known', async () => {
    const editor = await openEditor({ terminal: true });
    editor.failing.add('exit');
    editor.choices.push('allow_once');
    editor.world.engine.play([use('Bash', { command: 'make' }), 'I see.']);
    await editor.say(await editor.open(), 'Run it');
    expect(editor.world.engine.results()[0]).toContain("the editor's terminal failed: The editor is busy.");
  });

  it('to ask for a permission: the call is denied with the reason, and the turn ends', async () => {
    const editor = await openEditor();
    editor.failing.add('permission');
    editor.world.engine.play([use('Write', { file_path: 'b.txt', content: 'x' }), 'NEVER ASKED']);
    expect(await editor.say(await editor.open(), 'Write it')).toBe('end_turn');
    expect(existsSync(join(editor.world.project, 'b.txt'))).toBe(false);
    expect(editor.world.engine.requests).toHaveLength(1);
    expect(JSON.stringify(editor.of('tool_call_update').at(-1))).toContain(
      'The editor did not answer the permission request: The editor is busy.',
    );
  });

  it('to show a form or a choice: the question has no answer', async () => {
    const ask = use('AskQuestion', { question: 'Which?', options: ['red', 'blue'] });
    const forms = await openEditor({ elicitation: { form: {} } });
    forms.failing.add('form');
    forms.world.engine.play([ask, 'Done.']);
    await forms.say(await forms.open(), 'Ask');
    const plain = await openEditor();
    plain.failing.add('permission');
    plain.world.engine.play([ask, 'Done.']);
    await plain.say(await plain.open(), 'Ask');
    for (const { world } of [forms, plain]) expect(world.engine.results()).toEqual(['The user did not answer.']);
  });
});

describe('a terminal of the editor', () => {
  it('whose output was cut says so to the model, and has plain line ends', async () => {
    const editor = await openEditor({ terminal: true });
    Object.assign(editor.shown, { output: 'one\r\ntwo\r\n', truncated: true });
    editor.choices.push('allow_once');
    editor.world.engine.play([use('Bash', { command: 'make' }), 'Done.']);
    await editor.say(await editor.open(), 'Run it');
    expect(editor.world.engine.results()).toEqual([
      '[the beginning of the output was left out]\none\ntwo\n[exit code 0]',
    ]);
  });

  it('is not used for a command in the background, whose output is read while it runs', async () => {
    const editor = await openEditor({ terminal: true });
    editor.choices.push('allow_once');
    editor.world.engine.play([use('Bash', { command: 'echo begun; sleep 1000', background: true }), 'Done.']);
    await editor.say(await editor.open(), 'Start it');
    expect(editor.commands).toEqual([]);
    expect(editor.world.engine.results()[0]).toMatch(/job \d+/);
  });
});

describe('a permission that is not given', () => {
  it.each(['cancelled', 'reject_once'] as const)('denies the call and ends the turn: %s', async (choice) => {
    const editor = await openEditor();
    editor.choices.push(choice);
    editor.world.engine.play([use('Bash', { command: 'touch made' }), 'NEVER ASKED']);
    expect(await editor.say(await editor.open(), 'Run it')).toBe('end_turn');
    expect(existsSync(join(editor.world.project, 'made'))).toBe(false);
    expect(editor.world.engine.requests).toHaveLength(1);
  });

  it('names what would be approved again: the call for a command, the file or its folder for a change', async () => {
    const editor = await openEditor();
    editor.choices.push('allow_once', 'allow_once');
    editor.world.engine.play([
      use('Bash', { command: 'touch b.txt' }),
      use('Write', { file_path: 'a.txt', content: 'x' }),
      'Done.',
    ]);
    await editor.say(await editor.open(), 'Do both');
    expect(editor.asked.map(({ options }) => options.map(({ name }) => name))).toEqual([
      [
        'Allow',
        'Allow this exact call for the session',
        'Allow this exact call in this project',
        'Allow Bash(touch), Bash(touch *) for the session',
        'Allow Bash(touch), Bash(touch *) in this project',
        'Reject, and stop',
      ],
      [
        'Allow',
        'Allow any Write to this file for the session',
        'Allow any Write to this file in this project',
        'Allow Write(/*) for the session',
        'Allow Write(/*) in this project',
        'Reject, and stop',
      ],
    ]);
  });

  it('of a turn that is cancelled runs nothing when it comes late', async () => {
    const editor = await openEditor();
    const id = await editor.open();
    editor.world.engine.play([use('Bash', { command: 'touch made' })]);
    editor.choices.push('allow_once');
    const answer = editor.say(id, 'Run it');
    await expect.poll(() => editor.asked.length).toBe(1);
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: id });
    expect(['cancelled', 'end_turn']).toContain(await answer);
    await editor.close();
    const record = readFileSync(join(editor.world.home, '.gateway', 'record', `${id}.jsonl`), 'utf8');
    expect(record.trim().split('\n').at(-1)).toContain('"kind":"session-ended"');
  });
});
