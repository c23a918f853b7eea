import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EditorFiles } from '../agent/types/index.ts';
import { edit, multiEdit } from './edit.ts';
import { testProject } from './testing/project.ts';
import { createFileLedger } from './text-file.ts';
import { read, write } from './write.ts';

const swap = (file_path: string, old_string: string, new_string: string) => ({ file_path, old_string, new_string });

describe('a change of a file', () => {
  it('that was approved fails where the file changed while the person looked', async () => {
    const t = await testProject({ 'a.txt': 'one\n' });
    await t.run(read, { file_path: 'a.txt' });
    const args = swap('a.txt', 'one', 'two');
    expect(await edit.preview?.(args, t.context)).toMatchObject({ before: 'one\n', after: 'two\n' });
    await t.write('a.txt', 'one and mine\n');
    expect(await t.run(edit, args)).toMatchObject({
      outcome: 'failed',
      content: expect.stringMatching(/changed since/),
    });
    expect(await t.read('a.txt')).toBe('one and mine\n');
  });

  it('may follow another without reading again, but not one of another session', async () => {
    const t = await testProject({ 'a.txt': 'one\n' });
    await t.run(read, { file_path: 'a.txt' });
    for (const args of [swap('a.txt', 'one', 'two'), swap('a.txt', 'two', 'three')])
      expect((await t.run(edit, args)).outcome).toBe('succeeded');
    const other = { files: createFileLedger() };
    expect((await t.run(edit, swap('a.txt', 'three', 'four'), other)).content).toBe(
      'a.txt was not read yet. Read it first, then edit it.',
    );
  });

  it('is kept for undo before it is made, and not where it fails', async () => {
    const t = await testProject({ 'a.txt': 'one\n' });
    const seen: string[] = [];
    const snapshots = {
      ...t.context.snapshots,
      beforeWrite: async (path: string) =>
        void seen.push(`${path} ${await readFile(path, 'utf8').catch(() => 'none')}`),
    };
    await t.run(read, { file_path: 'a.txt' });
    await t.run(edit, swap('a.txt', 'absent', 'x'), { snapshots });
    await t.run(edit, swap('a.txt', 'one', 'two'), { snapshots });
    await t.run(write, { file_path: 'new.txt', content: 'x' }, { snapshots });
    expect(seen).toEqual([`${t.at('a.txt')} one\n`, `${t.at('new.txt')} none`]);
  });

  it('is known by the file, whatever path leads there', async () => {
    const t = await testProject({ 'src/a.txt': 'one\n' });
    await symlink('src', t.at('link'));
    await t.run(read, { file_path: 'link/a.txt' });
    expect((await t.run(edit, swap('./src/../src/a.txt', 'one', 'two'))).outcome).toBe('succeeded');
    expect((await t.run(edit, swap(t.at('link/a.txt'), 'two', 'three'))).outcome).toBe('succeeded');
    expect(await t.read('src/a.txt')).toBe('three\n');
  });

  it('keeps the rights and the identity of the file', async () => {
    const t = await testProject({ 'run.sh': 'echo one\n' });
    await chmod(t.at('run.sh'), 0o750);
    const before = await stat(t.at('run.sh'));
    await t.run(read, { file_path: 'run.sh' });
    await t.run(edit, swap('run.sh', 'one', 'two'));
    const after = await stat(t.at('run.sh'));
    expect([after.mode, after.ino]).toEqual([before.mode, before.ino]);
  });

  it('that cannot be written says why, and leaves the file', async () => {
    const t = await testProject({ 'a.txt': 'one\n' });
    await mkdir(t.at('folder'));
    expect(await t.run(write, { file_path: 'folder', content: 'x' })).toEqual({
      outcome: 'failed',
      content: 'folder is a directory. List shows what is in it.',
    });
    expect((await t.run(write, { file_path: 'a.txt/b.txt', content: 'x' })).content).toBe(
      'a.txt/b.txt cannot be written: a file is in the place of a directory.',
    );
    expect((await t.run(write, { file_path: `${'x'.repeat(300)}.txt`, content: 'x' })).content).toMatch(
      /the name is too long\.$/,
    );
    expect(await t.read('a.txt')).toBe('one\n');
  });

  it('with several edits is the same as the edits one by one, or nothing', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', ' '), maxLength: 8 });
    const edits = fc.array(fc.record({ old_string: text, new_string: text, replace_all: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    });
    const t = await testProject();
    await fc.assert(
      fc.asyncProperty(text, edits, async (content, all) => {
        for (const name of ['one.txt', 'all.txt']) {
          await writeFile(t.at(name), content);
          await t.run(read, { file_path: name });
        }
        const outcomes: string[] = [];
        for (const one of all) outcomes.push((await t.run(edit, { file_path: 'one.txt', ...one })).outcome);
        const whole = await t.run(multiEdit, { file_path: 'all.txt', edits: all });
        const failed = outcomes.includes('failed');
        expect(whole.outcome).toBe(failed ? 'failed' : 'succeeded');
        expect(await t.read('all.txt')).toBe(failed ? content : await t.read('one.txt'));
      }),
      { numRuns: 60 },
    );
  });
});

describe('in an editor', () => {
  /** An editor that shows these texts, and takes what is written unless it refuses. */
  function editorOf(shown: Readonly<Record<string, string>>, takes = true) {
    const written = new Map<string, string>();
    const editor: EditorFiles = {
      read: async (path) => written.get(path) ?? shown[path] ?? null,
      async write(path, text) {
        if (takes) written.set(path, text);
        return takes;
      },
    };
    return { editor, written };
  }

  it('a file is read and edited with its unsaved changes, which stay unsaved', async () => {
    const t = await testProject({ 'a.txt': 'saved\n' });
    const { editor, written } = editorOf({ [t.at('a.txt')]: 'not saved\n' });
    expect((await t.run(read, { file_path: 'a.txt' }, { editor })).content).toBe('1\tnot saved');
    expect((await t.run(edit, swap('a.txt', 'not', 'still not'), { editor })).outcome).toBe('succeeded');
    expect([...written]).toEqual([[t.at('a.txt'), 'still not saved\n']]);
    expect(await t.read('a.txt')).toBe('saved\n');
    expect((await t.run(edit, swap('a.txt', 'still not', 'now'), { editor })).outcome).toBe('succeeded');
  });

  it('a change that the person makes there since it was read is not lost', async () => {
    const t = await testProject({ 'a.txt': 'saved\n' });
    const before = editorOf({ [t.at('a.txt')]: 'draft\n' });
    const after = editorOf({ [t.at('a.txt')]: 'draft, and more\n' });
    await t.run(read, { file_path: 'a.txt' }, { editor: before.editor });
    expect((await t.run(edit, swap('a.txt', 'draft', 'x'), { editor: after.editor })).content).toMatch(/changed since/);
    const whole = { file_path: 'a.txt', content: 'x' };
    expect((await t.run(write, whole, { editor: after.editor })).content).toMatch(/changed since it was read/);
    expect(after.written.size).toBe(0);
  });

  it('a file is written to the disk where the editor does not take it', async () => {
    const t = await testProject({ 'a.txt': 'one\n' });
    const { editor } = editorOf({}, false);
    await t.run(read, { file_path: 'a.txt' }, { editor });
    expect((await t.run(edit, swap('a.txt', 'one', 'two'), { editor })).outcome).toBe('succeeded');
    expect((await t.run(write, { file_path: 'b/c.txt', content: 'new\n' }, { editor })).outcome).toBe('succeeded');
    expect([await t.read('a.txt'), await t.read('b/c.txt')]).toEqual(['two\n', 'new\n']);
  });

  it('Windows line ends stay where the editor shows plain ones, and a byte order mark stays on the disk', async () => {
    const t = await testProject({ 'w.txt': 'one\r\ntwo\r\n', 'm.txt': '\ufeffone\n' });
    const { editor, written } = editorOf({ [t.at('w.txt')]: 'one\ntwo\n', [t.at('m.txt')]: 'hidden mark\n' });
    for (const name of ['w.txt', 'm.txt']) await t.run(read, { file_path: name }, { editor });
    await t.run(edit, swap('w.txt', 'one\ntwo', '1\n2'), { editor });
    await t.run(edit, swap('m.txt', 'one', 'two'), { editor });
    expect(written.get(t.at('w.txt'))).toBe('1\r\n2\r\n');
    expect([written.has(t.at('m.txt')), await t.read('m.txt')]).toEqual([false, '\ufefftwo\n']);
  });
});
