import { expect, it } from 'vitest';
import { type Collected, collect, keptOf } from './chunk.ts';

const collected = (...pieces: readonly object[]) => {
  const members: Collected = {};
  for (const piece of pieces) collect(members, piece);
  return keptOf(members);
};

it.each<readonly [string, readonly object[], object | undefined]>([
  ['nothing of what the API names', [{ role: 'assistant', content: 'x', tool_calls: [], refusal: null }], undefined],
  ['texts in parts', [{ reasoning_content: 'a' }, { reasoning_content: 'b' }], { reasoning_content: 'ab' }],
  [
    'details by their index, in order',
    [
      { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'a', format: 'f' }] },
      { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'b', format: 'f', signature: 's' }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'd' }] },
    ],
    {
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'ab', format: 'f', signature: 's' },
        { type: 'reasoning.encrypted', index: 1, data: 'd' },
      ],
    },
  ],
  ['objects', [{ extra: { a: { b: 1 } } }, { extra: { a: { c: 2 } } }], { extra: { a: { b: 1, c: 2 } } }],
  ['no null', [{ reasoning: null }], undefined],
])('keeps %s', (_, pieces, expected) => {
  expect(collected(...pieces)).toEqual(expected);
});
