import { execFileSync } from 'node:child_process';
import { chmod, stat, symlink } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edit, multiEdit, replaceAll } from './edit.ts';
import { search } from './search.ts';
import { testProject } from './testing/project.ts';
import { list } from './tools.ts';
import { read, write } from './write.ts';

describe('Read', () => {
  it('gives numbered lines from offset to limit', async () => {
    const t = await testProject({ 'n.txt': Array.from({ length: 40 }, (_, i) => `line ${i + 1}`).join('\n') });
    expect(await t.run(read, { file_path: 'n.txt', offset: 11, limit: 2 })).toEqual({
      outcome: 'succeeded',
      content: '11\tline 11\n12\tline 12\n[28 more lines, up to line 40: call Read with offset 13]',
    });
    expect((await t.run(read, { file_path: 'n.txt', offset: 41 })).content).toBe(
      'n.txt has 40 lines: there is no line 41.',
    );
  });
  it('cuts what is long and says how to get the rest', async () => {
    const t = await testProject({ 'big.txt': `${'x'.repeat(99)}\n`.repeat(5000), 'wide.txt': 'y'.repeat(5000) });
    const { content } = await t.run(read, { file_path: 'big.txt' });
    expect(content.length).toBeLessThan(61_000);
    expect(content).toMatch(/\[\d+ more lines, up to line 5000: call Read with offset \d+\]$/);
    expect((await t.run(read, { file_path: 'wide.txt' })).content).toMatch(/3000 more characters in this line/);
  });
  it.each([
    ['absent.txt', /absent\.txt does not exist/],
    ['folder', /folder is a directory/],
    ['binary', /binary is not a text file/],
    ['latin', /latin is not UTF-8/],
  ])('reports why %s is not read', async (name, message) => {
    const t = await testProject({ 'folder/x': '', binary: 'a\0b' });
    const { writeFile } = await import('node:fs/promises');
    await writeFile(t.at('latin'), Buffer.from([0x66, 0xfc, 0x72]));
    expect(await t.run(read, { file_path: name })).toEqual({
      outcome: 'failed',
      content: expect.stringMatching(message),
    });
  });
  it('names wrong arguments', async () => {
    const t = await testProject();
    expect((await t.run(read, { path: 'x' })).content).toMatch(
      /^Read was not run\. file_path is missing\. It takes file_path, offset\?, limit\?\.$/,
    );
    expect((await t.run(read, { file_path: 'x', offset: 'one' })).content).toMatch(/offset must be a whole number/);
  });
});

describe('Edit', () => {
  const edited = async (before: string, args: object): Promise<string> => {
    const t = await testProject({ 'e.txt': before });
    await t.run(read, { file_path: 'e.txt' });
    const { outcome, content } = await t.run(edit, { file_path: 'e.txt', ...args });
    const after = await t.read('e.txt');
    if (outcome === 'failed') expect(after).toBe(before);
    return outcome === 'failed' ? content : after;
  };
  it.each([
    ['one two three\n', { old_string: 'two', new_string: '2' }, 'one 2 three\n'],
    ['one two\n', { old_string: 'two', new_string: "$& $1 $$ $' \\n" }, "one $& $1 $$ $' \\n\n"],
    ['dup dup\ndup\n', { old_string: 'dup', new_string: 'x', replace_all: true }, 'x x\nx\n'],
    ['one\r\ntwo\r\nthree\r\n', { old_string: 'one\ntwo', new_string: 'uno\ndos\ny' }, 'uno\r\ndos\r\ny\r\nthree\r\n'],
    ['one\r\ntwo\r\n', { old_string: 'one\r\ntwo', new_string: 'x\r\ny' }, 'x\r\ny\r\n'],
    ['\ufeffone\n', { old_string: 'one', new_string: 'uno' }, '\ufeffuno\n'],
    ['\ufeffone\r\n', { old_string: 'one\n', new_string: 'x\ny\n' }, '\ufeffx\r\ny\r\n'],
    ['no end', { old_string: 'end', new_string: 'line end' }, 'no line end'],
  ])('%j with %j', async (before, args, after) => {
    expect(await edited(before, args)).toBe(after);
  });
  it.each([
    [
      'one\n',
      { old_string: 'absent', new_string: 'x' },
      'old_string does not occur in e.txt. Read the file again and copy the text exactly.',
    ],
    [
      'x\n  one  two\n',
      { old_string: 'one two\nthree', new_string: 'x' },
      'old_string does not occur in e.txt. Line 2 is similar: compare blanks, indentation and the lines that follow, and copy the text exactly.',
    ],
    [
      'dup\nx\ndup\n',
      { old_string: 'dup', new_string: 'x' },
      'old_string occurs 2 times in e.txt, at lines 1, 3. Add text around it that makes it unique, or set replace_all.',
    ],
    ['a\n', { old_string: 'a', new_string: 'a' }, 'old_string and new_string are the same: nothing would change.'],
    ['a\n', { old_string: '', new_string: 'a' }, 'old_string is empty. Use Write to create a file.'],
  ])('refuses %j with %j', async (before, args, message) => {
    expect(await edited(before, args)).toBe(message);
  });
  // client-11
  it('needs a file that was read and has not changed since', async () => {
    const t = await testProject({ 'a.txt': 'alpha\n' });
    const args = { file_path: 'a.txt', old_string: 'alpha', new_string: 'x' };
    expect((await t.run(edit, args)).content).toBe('a.txt was not read yet. Read it first, then edit it.');
    await t.run(read, { file_path: 'a.txt' });
    await t.write('a.txt', 'alpha beta\n');
    expect((await t.run(edit, args)).content).toBe('a.txt changed since it was read. Read it again, then edit it.');
    await t.run(read, { file_path: './a.txt' });
    expect((await t.run(edit, args)).outcome).toBe('succeeded');
    expect((await t.run(edit, { ...args, old_string: 'x', new_string: 'y' })).outcome).toBe('succeeded');
  });
  it('shows the change before it is made, through a link, and keeps the rights of the file', async () => {
    const t = await testProject({ 'a.sh': 'one\n' });
    await chmod(t.at('a.sh'), 0o750);
    await symlink('a.sh', t.at('link'));
    await t.run(read, { file_path: 'link' });
    const args = { file_path: 'link', old_string: 'one', new_string: 'two' };
    expect(await edit.preview?.(args, t.context)).toEqual({
      kind: 'diff',
      path: 'link',
      before: 'one\n',
      after: 'two\n',
    });
    await t.run(edit, args);
    expect([await t.read('a.sh'), (await stat(t.at('a.sh'))).mode & 0o777]).toEqual(['two\n', 0o750]);
  });
  it('makes all edits of MultiEdit or none', async () => {
    const t = await testProject({ 'a.txt': 'alpha\nbeta\n' });
    await t.run(read, { file_path: 'a.txt' });
    const change = (...edits: [string, string][]) =>
      t.run(multiEdit, {
        file_path: 'a.txt',
        edits: edits.map(([old_string, new_string]) => ({ old_string, new_string })),
      });
    expect((await change(['alpha', 'first'], ['absent', 'x'])).content).toMatch(
      /^Edit 2 of 2 failed and none was made: old_string does not occur/,
    );
    expect(await t.read('a.txt')).toBe('alpha\nbeta\n');
    await change(['alpha', 'first'], ['first', '1st']);
    expect(await t.read('a.txt')).toBe('1st\nbeta\n');
  });
  it('changes only the named text, with any line ends', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '$'), maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.array(line, { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        line,
        (before, after, end, text) => {
          const whole = [...before, 'MARK', ...after].join(end);
          expect(replaceAll(whole, [{ old_string: 'MARK', new_string: `${text}\nx` }], 'f')).toBe(
            [...before, text + (whole.includes('\r') ? '\r\n' : '\n') + 'x', ...after].join(end),
          );
        },
      ),
    );
  });
});

describe('Write', () => {
  it('makes the file and its folders, to the byte', async () => {
    const t = await testProject();
    await t.run(write, { file_path: 'deep/er/new.txt', content: 'é\r\n\tno line end' });
    expect(await t.read('deep/er/new.txt')).toBe('é\r\n\tno line end');
  });
  it.each([
    ['\ufeffold\r\n', 'new\r\n', '\ufeffnew\r\n'],
    ['\ufeffold', '\ufeffnew', '\ufeffnew'],
    ['\ufeffold', '', '\ufeff'],
    ['old', 'new', 'new'],
    ['old', '\ufeffnew', 'new'],
    ['one\r\ntwo\r\n', 'uno\ndos\ntres\n', 'uno\r\ndos\r\ntres\r\n'],
    ['one\ntwo\n', 'uno\r\ndos\r\n', 'uno\ndos\n'],
    ['a\r\nb\r\nc\n', 'x\ny\r\n', 'x\r\ny\r\n'],
  ])('keeps line ends and byte-order mark of the file that it replaces: %j, %j', async (before, content, after) => {
    const t = await testProject({ 'a.txt': before });
    await t.run(read, { file_path: 'a.txt' });
    expect(await t.run(write, { file_path: 'a.txt', content })).toMatchObject({ outcome: 'succeeded' });
    expect(await t.read('a.txt')).toBe(after);
    expect(await t.run(write, { file_path: 'a.txt', content: 'again' })).toMatchObject({ outcome: 'succeeded' });
  });
  it('does not replace what was not read, but what it wrote itself', async () => {
    const t = await testProject({ 'a.txt': 'old\n' });
    expect(await t.run(write, { file_path: 'a.txt', content: 'new\n' })).toEqual({
      outcome: 'failed',
      content: 'a.txt exists and was not read in this session. Read it before replacing it.',
    });
    expect(await t.read('a.txt')).toBe('old\n');
    expect((await t.run(write, { file_path: 'b.txt', content: '1\n' })).outcome).toBe('succeeded');
    expect((await t.run(write, { file_path: 'b.txt', content: '2\n' })).outcome).toBe('succeeded');
  });
  it('takes ~ for the home directory', async () => {
    const t = await testProject();
    await t.run(write, { file_path: '~/x.txt', content: 'x' }, { home: t.at('home') });
    expect(await t.read('home/x.txt')).toBe('x');
  });
  it('does not replace what changed since it was read, nor a secret by its mask', async () => {
    const t = await testProject({ 'a.txt': 'key = hunter2\n' });
    await t.run(read, { file_path: 'a.txt' });
    expect((await t.run(write, { file_path: 'a.txt', content: 'key = [secret:password]\nx' })).content).toMatch(
      /masks a secret of a\.txt/,
    );
    await t.write('a.txt', 'other');
    expect((await t.run(write, { file_path: 'a.txt', content: 'x' })).content).toMatch(/changed since it was read/);
    expect((await t.run(write, { file_path: 'a.txt/b', content: 'x' })).outcome).toBe('failed');
  });
});

it('List shows directories first, and reports a path that is no directory', async () => {
  const t = await testProject({ 'src/one.ts': 'x', 'a.txt': 'ab' });
  await symlink('a.txt', t.at('link'));
  expect((await t.run(list, {})).content).toBe('src/\na.txt (2 bytes)\nlink (link)');
  expect((await t.run(list, { path: 'absent' })).content).toBe('absent does not exist.');
  expect((await t.run(list, { path: 'a.txt' })).content).toBe('a.txt is not a directory: use Read.');
});

describe('Search', () => {
  const files = {
    'a.txt': 'x\nthe needle here\nhas --files in it\n',
    'b.md': 'needle\n',
    'in/y.txt': 'needle\n',
    '.hidden': 'needle\n',
    'run.sh': '#!/bin/sh\ntouch pwned\n',
  };
  it('finds with file and line, narrowed by path and glob', async () => {
    const t = await testProject(files);
    expect((await t.run(search, { pattern: 'need[l]e h' })).content).toBe('a.txt:2:the needle here');
    expect((await t.run(search, { pattern: 'needle', glob: '*.md' })).content).toBe('b.md:1:needle');
    expect((await t.run(search, { pattern: 'needle', path: 'in' })).content).toBe('in/y.txt:1:needle');
    expect((await t.run(search, { pattern: 'needle' })).content.split('\n')).toHaveLength(4);
    expect(await t.run(search, { pattern: 'no-such-word' })).toMatchObject({
      outcome: 'succeeded',
      content: expect.stringMatching(/^Nothing matches/),
    });
  });
  it('takes a pattern neither for an option nor for a command', async () => {
    const t = await testProject(files);
    expect((await t.run(search, { pattern: '--files' })).content).toBe('a.txt:3:has --files in it');
    for (const pattern of ['--pre=./run.sh', '$(touch pwned)', "'; touch pwned; '", 'x\ntouch pwned', '-e'])
      await t.run(search, { pattern, glob: '*' });
    await t.run(search, { pattern: 'x', path: '--files' });
    expect((await t.run(list, {})).content).not.toContain('pwned');
    expect((await t.run(search, { pattern: 'needle', path: 'a.txt', glob: '--files' })).outcome).toBe('succeeded');
  });
  const globs = [
    '*',
    '**',
    '**/*',
    '*.{js,ts}',
    '**/*.js',
    'src/**',
    'src/*.js',
    '/src/*',
    './src/y.js',
    's*/**/[xy].js',
  ];
  it.each([
    undefined,
    ...globs,
    '{src,lib}/*.js',
    '{src/*.js,lib/*.md}',
    '**/src/y.js',
    'src/**/*.{js,md}',
    '!**/*.md',
  ])('leaves out what git ignores, with the glob %s', async (glob) => {
    const t = await testProject({ '.gitignore': 'node_modules\nown.js\n' });
    execFileSync('git', ['init', '-q', t.project]);
    const ignored = ['node_modules/x.js', 'src/node_modules/src/y.js', 'own.js', 'src/own.js'];
    for (const name of [...ignored, '.git/src/y.js', 'src/y.js']) await t.write(name, 'needle\n');
    expect((await t.run(search, { pattern: 'needle', glob })).content).toBe('src/y.js:1:needle');
  });
  it.each([
    ['src/*.md', ['src/a.md']],
    ['src/**/*.md', ['src/.b/c.md', 'src/a.md', 'src/deep/d.md']],
    ['src/deep/**', ['src/deep/d.md', 'src/deep/e.ts']],
    ['**/deep/*', ['src/deep/d.md', 'src/deep/e.ts']],
    ['src/{a,deep/d}.md', ['src/a.md', 'src/deep/d.md']],
    ['src/?.md', ['src/a.md']],
    ['deep/*.md', []],
    ['src/*.MD', []],
    ['src\\\\*.md', []],
  ])('takes a glob with a path as git does: %s', async (glob, names) => {
    const t = await testProject({
      'a.md': 'x',
      'src/a.md': 'x',
      'src/.b/c.md': 'x',
      'src/deep/d.md': 'x',
      'src/deep/e.ts': 'x',
    });
    const { content } = await t.run(search, { pattern: 'x', glob });
    expect(content.startsWith('Nothing') ? [] : content.split('\n')).toEqual(names.map((name) => `${name}:1:x`));
  });
  it('counts only lines of files that the glob takes', async () => {
    const t = await testProject({ 'a/many.txt': 'word\n'.repeat(1000), 'b/one.txt': 'word\n' });
    expect((await t.run(search, { pattern: 'word', glob: 'b/*.txt' })).content).toBe('b/one.txt:1:word');
  });
  it('searches an ignored folder that path names', async () => {
    const t = await testProject({ '.gitignore': 'out/\n', 'out/a.js': 'x\n', 'out/in/b.js': 'x\n' });
    execFileSync('git', ['init', '-q', t.project]);
    const lines = { all: 'out/a.js:1:x\nout/in/b.js:1:x', some: 'out/in/b.js:1:x' };
    expect((await t.run(search, { pattern: 'x', path: 'out' })).content).toBe(lines.all);
    expect((await t.run(search, { pattern: 'x', path: 'out', glob: 'out/in/*' })).content).toBe(lines.some);
  });
  it('reports what is wrong, and that there is more', async () => {
    const t = await testProject({ 'many.txt': 'word\n'.repeat(1000) });
    expect((await t.run(search, { pattern: '(' })).content).toMatch(/^Search failed: .*unclosed group/s);
    expect((await t.run(search, { pattern: 'x', path: 'absent' })).outcome).toBe('failed');
    expect((await t.run(search, { pattern: 'x', glob: 'src/[a' })).content).toMatch(/^Search failed: .*unclosed/s);
    expect((await t.run(search, { pattern: 'x', glob: `${'{a,b}'.repeat(20)}/x` })).content).toMatch(
      /Use fewer braces\.$/,
    );
    const lines = (await t.run(search, { pattern: 'word' })).content.split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([251, expect.stringMatching(/^\[More lines match/)]);
  });
});
