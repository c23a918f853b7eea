import { describe, expect, it } from 'vitest';
import { loadFuzzySearch } from '../app/fuzzy.ts';
import { tokenAt } from './state.ts';

describe('what is completed', () => {
  it.each([
    ['/', 'command '],
    ['/mod', 'command mod'],
    ['/model x', null],
    [' /model', null],
    ['see /etc', null],
    ['@', 'file '],
    ['@src/ma', 'file src/ma'],
    ['see @a', 'file a'],
    ['see\n@a', 'file a'],
    ['casey@example.org', null],
    ['@a b', null],
    ['@a@b', null],
    ['!cat @a', null],
    ['', null],
  ])('behind %j is %j', (text, expected) => {
    const token = tokenAt(text, text.length);
    expect(token === null ? null : `${token.kind} ${token.query}`).toBe(expected);
  });

  it('ends at the cursor, and begins with its mark', () => {
    const text = 'see @src/main.ts and more';
    const token = tokenAt(text, 9);
    expect(token).toMatchObject({ query: 'src/', from: 4, to: 9 });
    expect(text.slice(token?.from, token?.to)).toBe('@src/');
  });
});

describe('the names that are offered', () => {
  const NAMES = ['src/terminal/run.ts', 'README.md', 'src/main.ts', 'docs/a/b.md'];

  it('contain the letters in their order, the best first', async () => {
    const search = await loadFuzzySearch();
    expect(search('main', NAMES, 5)).toEqual(['src/main.ts']);
    expect(search('trun', NAMES, 5)[0]).toBe('src/terminal/run.ts');
    expect(search('zzz', NAMES, 5)).toEqual([]);
  });

  it('are those near the root before anything is typed, and no more than asked for', async () => {
    const search = await loadFuzzySearch();
    expect(search('', NAMES, 2)).toEqual(['README.md', 'src/main.ts']);
  });
});
