import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineBlocks } from './lines.ts';

const NOTHING = { block: () => {}, part: () => {}, partsEnd: () => {} };

describe('the lines of a stream', () => {
  it('are complete for any division of the bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{0,9}$/)), fc.array(fc.nat()), (lines, places) => {
        const text = lines.map((line) => `${line}\n`).join('');
        const cuts = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
        const blocks: string[] = [];
        const reader = new LineBlocks({ ...NOTHING, block: (lines) => blocks.push(lines.toString()) });
        for (const [index, from] of cuts.slice(0, -1).entries())
          reader.push(Buffer.from(text.slice(from, cuts[index + 1])));
        reader.end();
        expect(blocks.join('')).toBe(text);
        expect(blocks.every((block) => block.endsWith('\n'))).toBe(true);
      }),
    );
  });
  it('come in parts where one exceeds the bound, and continue after it', () => {
    const blocks: string[] = [];
    let parts = 0;
    const reader = new LineBlocks({
      block: (lines) => blocks.push(lines.toString()),
      part: (bytes) => {
        parts += bytes.length;
      },
      partsEnd: () => blocks.push(`<${parts}>`),
    });
    for (let index = 0; index < 20; index += 1) reader.push(Buffer.alloc(100_000, 'x'));
    reader.push(Buffer.from('tail\nnext\nlast'));
    reader.end();
    expect(blocks).toEqual(['<2000005>', 'next\n', 'last']);
  });
});
