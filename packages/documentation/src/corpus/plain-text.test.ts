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
])('%s', (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});
