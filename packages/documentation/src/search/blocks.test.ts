import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf } from './search.ts';

const FENCE = '```';
const shown = (text: string): string[] => blocksOf(text).map(({ kind, lines }) => `${kind}: ${lines.join('|')}`);

describe('the blocks of a passage', () => {
  it.each([
    ['One.\nStill one.\n\nTwo.', ['prose: One.|Still one.', 'prose: Two.']],
    [
      `Before.\n${FENCE}sh\nrun\n\nmore\n${FENCE}\nAfter.`,
      ['prose: Before.', 'code: ```sh|run||more|```', 'prose: After.'],
    ],
    [`~~~\n${FENCE}\n~~~`, ['code: ~~~|```|~~~']],
    [`${FENCE}\nnever closed`, ['code: ```|never closed|```']],
    [`- item\n\n    ${FENCE}js\n    a()\n      b()\n    ${FENCE}`, ['prose: - item', 'code: ```js|a()|  b()|```']],
    ['<Tabs>\n<Tab title="x">\nText.\n</Tab>\n</Tabs>', ['prose: Text.']],
    ['<Card />\n\n<div>kept</div>', ['prose: <div>kept</div>']],
    ['Text.\n```inline``` code', ['prose: Text.']],
    ['', []],
    ['\n \n\t\n', []],
  ])('of %j', (text, blocks) => {
    expect(shown(text)).toEqual(blocks);
  });

  it('that are code begin and end with the same marks, whatever surrounds them', () => {
    const line = constantFrom(
      'text',
      '',
      '    indented',
      FENCE,
      `${FENCE}js`,
      '~~~',
      '  ~~~',
      '````',
      '- item',
      '<Tab>',
    );
    assert(
      property(array(line, { maxLength: 14 }), (lines) => {
        for (const { kind, lines: own } of blocksOf(lines.join('\n'))) {
          expect(own.length).toBeGreaterThan(0);
          const mark = /^(`{3,}|~{3,})/.exec(own[0] ?? '')?.[1];
          expect(kind === 'code' ? own.at(-1) : undefined).toBe(kind === 'code' ? mark : undefined);
        }
      }),
      { numRuns: 500 },
    );
  });
});
