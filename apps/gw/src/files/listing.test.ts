import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { expandHome } from './listing.ts';

describe('a path', () => {
  it.each([
    ['~', '/home/casey'],
    ['~/a/b', '/home/casey/a/b'],
    ['a/~/b', 'a/~/b'],
    ['~nobody-of-this-name/x', '~nobody-of-this-name/x'],
    ['./~', './~'],
    ['', ''],
  ])('%j leads to %j', (path, expected) => {
    expect(expandHome(path, '/home/casey')).toBe(expected);
  });

  it('of another user leads to their home directory', () => {
    const { username, homedir } = userInfo();
    expect(expandHome(`~${username}/x`, '/home/casey')).toBe(`${homedir}/x`);
  });

  it('stays where there is no home directory', () => {
    expect(expandHome('~/x', null)).toBe('~/x');
  });
});
