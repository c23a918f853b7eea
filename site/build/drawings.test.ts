import { describe, expect, it } from 'vitest';
import { DRAWINGS, type Drawing, isDrawing, WIDTH } from './drawings.ts';
import { buildManualCorpus } from './testing/manual-corpus.ts';

/** Widest character of the font at 13 px, in half of the cases; a line of this estimate fits its box in every browser. */
const CHARACTER = 6.4;

describe.each<[string, Drawing]>(Object.entries(DRAWINGS))('the drawing %s', (_, drawing) => {
  it('keeps everything inside its frame', () => {
    for (const { x, y, width, height } of drawing.boxes) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(WIDTH);
      expect(y + height).toBeLessThanOrEqual(drawing.height);
    }
  });
  it('has room for the words of each box', () => {
    for (const { width, lines } of drawing.boxes) {
      expect(Math.max(...lines.map((line) => line.length * CHARACTER))).toBeLessThanOrEqual(width + 8);
    }
  });
  it('has no boxes on top of each other', () => {
    for (const [at, one] of drawing.boxes.entries()) {
      for (const other of drawing.boxes.slice(at + 1)) {
        const apart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        expect([one.lines[0], other.lines[0], apart]).toEqual([one.lines[0], other.lines[0], true]);
      }
    }
  });
});

it('agents and search read drawings and pictures as words, each picture once', async () => {
  const { read, remove } = await buildManualCorpus();
  const text = read('llms-full.txt');
  remove();
  for (const { description } of Object.values(DRAWINGS)) expect(text).toContain(`Diagram: ${description}`);
  expect(text).not.toContain('<Diagram');
  expect(text).not.toContain('.png');
  expect(text.match(/^Picture: The console, Audit/gm)).toHaveLength(1);
  expect(isDrawing('toString')).toBe(false);
});
