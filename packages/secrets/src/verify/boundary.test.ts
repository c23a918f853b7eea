import { describe, expect, it } from 'vitest';
import { viewOf } from '../testing/view.ts';
import { afterHyphens, beginsApart, beginsHere } from './boundary.ts';

/** Whether a token may begin after this text. */
const after = (text: string): boolean => beginsHere(viewOf(`${text}T`), text.length);

describe('a token begins', () => {
  it.each([
    '',
    ' ',
    '"',
    '=',
    '-',
    '/',
    '.',
    '\n',
    '\x01',
    '%20',
    '%3D',
    '%2f',
    'a=%3A',
    '\x1b[93m',
    '\x1b[1;31m',
    '\xff',
  ])('after %j', (text) => {
    expect(after(text)).toBe(true);
  });

  it.each(['a', 'Z', '0', '_', 'word', '%2', '2F', '%zz0', '[93m', 'm', '\x1b[9a3m'])('but not after %j', (text) => {
    expect(after(text)).toBe(false);
  });
});

describe('a token that may contain hyphens begins', () => {
  const apart = (text: string): boolean => beginsApart(viewOf(`${text}T`), text.length);

  it.each(['', ' ', '-', '--', '\n-', ' --', '<!--', '----', '"-', '%20--'])('after %j', (text) => {
    expect(apart(text)).toBe(true);
  });

  it.each(['a', '_', 'a-', 'word--', '0---', '_-', '-----', ' -----'])('but not after %j', (text) => {
    expect(apart(text)).toBe(false);
  });
});

it.each([
  ['x', 0],
  ['-x', 1],
  ['--> ', 2],
  ['-----', 4],
])('the hyphens after a token are skipped: %j', (text, after) => {
  expect(afterHyphens(viewOf(`T${text}`), 1)).toBe(1 + after);
});
