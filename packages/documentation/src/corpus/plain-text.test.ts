import { expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

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
