import { describe, expect, it } from 'vitest';
import { closesFence, fenceAfter, isBalanced, openingFence, plainText } from './fences.ts';

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

it.each([
  ['Plain words', 'Plain words'],
  ['`notFound()`', 'notFound()'],
  ['Closing marks ##', 'Closing marks'],
  ['C#', 'C#'],
  ['With an anchor {#anchor}', 'With an anchor'],
  ['[A link](/guide) and ![a picture](x.png)', 'A link and a picture'],
  ['**Bold** and __strong__', 'Bold and strong'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['Array<string> <Badge type="tip" /> done', 'Array<string> done'],
  ['<a id="x"></a>Title', 'Title'],
  ['Escaped \\_marks\\_', 'Escaped _marks_'],
  ['  much   space ', 'much space'],
  ['`__init__` and `__all__`', '__init__ and __all__'],
  ['The `<img>` element', 'The <img> element'],
  ['`**kwargs`, `*args` and `*`', '**kwargs, *args and *'],
  ['`[link](/x)` and `{#id}`', '[link](/x) and {#id}'],
  ['`a\\_b` and a\\_b', 'a\\_b and a_b'],
  ['``a ` b`` and `` `c` ``', 'a ` b and `c`'],
  ['[`useState()`](/hooks) in **`code`**', 'useState() in code'],
  ['An \\`escaped` mark', 'An `escaped` mark'],
  ['One ` mark alone', 'One ` mark alone'],
  ['The *best* option, *in any case*', 'The best option, in any case'],
  ['2*3*4, SELECT * FROM *, *.md', '2*3*4, SELECT * FROM *, *.md'],
  ['', ''],
])('%s', (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});
