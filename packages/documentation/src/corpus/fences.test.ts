import { describe, expect, it } from 'vitest';
import { closesFence, fenceAfter, isBalanced, openingFence } from './fences.ts';

describe('a line opens a fence', () => {
  it.each([
    ['```', { mark: '`', length: 3 }],
    ['```bash', { mark: '`', length: 3 }],
    ['````md', { mark: '`', length: 4 }],
    ['~~~ js `x`', { mark: '~', length: 3 }],
    ['   ```', { mark: '`', length: 3 }],
    ['      ```ts title="a.ts"', { mark: '`', length: 3 }],
    ['``', null],
    ['```inline``` code', null],
    ['text ```', null],
    ['', null],
  ])('%j', (line, fence) => {
    expect(openingFence(line)).toEqual(fence);
  });
});

describe('a fence of three backticks', () => {
  const fence = { mark: '`', length: 3 } as const;
  it.each(['```', '````', '  ```  '])('is closed by %j', (line) => {
    expect(closesFence(line, fence)).toBe(true);
  });
  it.each(['``', '~~~', '```js', '# comment', '---'])('is not closed by %j', (line) => {
    expect(closesFence(line, fence)).toBe(false);
  });
});

it('a fence of four backticks contains one of three', () => {
  const lines = ['````md', '```js', '```', '# not a heading', '````', 'text'];
  const open: boolean[] = [];
  let fence = null as ReturnType<typeof fenceAfter>;
  for (const line of lines) {
    fence = fenceAfter(fence, line);
    open.push(fence !== null);
  }
  expect(open).toEqual([true, true, true, true, false, false]);
  expect(isBalanced(lines, 0, lines.length)).toBe(true);
  expect(isBalanced(lines, 0, 4)).toBe(false);
});
