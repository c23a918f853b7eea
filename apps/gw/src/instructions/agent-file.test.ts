import { describe, expect, it } from 'vitest';
import { readAgentFile } from './agent-file.ts';

const faultsOf = (text: string): readonly string[] =>
  readAgentFile(text).faults.map(
    ({ line, column, path, message }) => `${line}:${column} ${path?.join('.') ?? '-'} ${message}`,
  );

const WHOLE = `---
name: reviewer
description: Reads changes.
model: Coder
tools: [Read, Search]
rules: style
---

Read the change.
`;

describe('an agent file', () => {
  it.each([
    ['as it is', WHOLE],
    ['with the line ends of Windows', WHOLE.replaceAll('\n', '\r\n')],
    ['with those of an old Mac', WHOLE.replaceAll('\n', '\r')],
    ['with blanks behind its marks', WHOLE.replaceAll('---\n', '---  \n')],
    ['with a line --- in its prompt', `${WHOLE}---\nand more\n`],
  ])('%s', (_, text) => {
    expect(readAgentFile(text)).toEqual({ name: 'reviewer', model: 'Coder', faults: [] });
  });

  it('needs a name alone', () => {
    expect(readAgentFile('---\nname: a\n---\nx')).toEqual({ name: 'a', model: null, faults: [] });
  });

  it.each([
    ['nothing', '', ['1:1 - It has no front matter.']],
    ['no front matter', 'Read the change.\n', ['1:1 - It has no front matter.']],
    ['one that begins later', '\n---\nname: a\n---\nx', ['1:1 - It has no front matter.']],
    ['one without end', '---\nname: a\nRead the change.\n', ['1:1 - Its front matter has no end.']],
    ['an empty one', '---\n---\nx', ['2:1 - Its front matter is empty.']],
    ['no name', '---\ndescription: a\n---\nx', ['2:1 name is missing']],
    ['an empty name', '---\nname:\n---\nx', ['2:6 name is empty']],
    ['an unknown member', '---\nname: a\ncolor: red\n---\nx', ['3:1 color is not a known member']],
    ['another type', '---\nname: a\ntools: {Read: true}\n---\nx', ['3:8 tools must be text or a list of strings']],
    ['a member twice', '---\nname: a\n\nname: b\n---\nx', ['4:1 - A member is given twice.']],
    ['no prompt', '---\nname: a\n---\n\n  \n', ['3:1 - It has no prompt.']],
    [
      'two faults',
      '---\nnam: a\n---\n',
      ['2:1 name is missing', '2:1 nam is not a known member', '3:1 - It has no prompt.'],
    ],
  ])('%s', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it('suggests a name for a misspelled member', () => {
    expect(readAgentFile('---\nnam: a\n---\nx').faults.find(({ path }) => path?.[0] === 'nam')?.fix).toBe(
      'Did you mean "name"? Otherwise remove it.',
    );
  });
});
