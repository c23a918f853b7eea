import { expect, it } from 'vitest';
import { createScreen } from './screen.ts';
import { svgOf } from './svg.ts';

it('draws frames in turn, each line once, without styles and scripts', () => {
  const screen = createScreen(20, 3);
  const frames = ['\x1b[1;32mgreen\x1b[0m <a & b>\r\n', '\x1b[38;2;1;2;3mtrue\x1b[0m'].map((text) => {
    screen.write(text);
    return { ...screen.picture(), milliseconds: 500 };
  });
  const svg = svgOf(frames, 20, 3, 'A title');
  expect(svg).toContain('fill="#98c379" font-weight="bold">green</text>');
  expect(svg).toContain('&lt;a\u00a0&amp;\u00a0b>');
  expect(svg).toContain('fill="#010203">true</text>');
  expect(svg.match(/green/g)).toHaveLength(1);
  expect(svg).toMatch(/values="0 0;-\d+ 0" keyTimes="0\.0000;0\.5000" dur="1\.0s"/);
  expect(svg).not.toMatch(/<style|<script|style=/);
});

it('follows the cursor, erases and scrolls', () => {
  const screen = createScreen(5, 2);
  screen.write('one\r\ntwo\r\nthree\x1b[A\x1b[1Gx\x1b[K');
  expect(screen.text()).toBe('x\nthree');
});
