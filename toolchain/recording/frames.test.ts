import { describe, expect, it } from 'vitest';
import { createScreen } from './screen.ts';
import { svgOf } from './svg.ts';

/** A recording of some screens, each written on an empty one. */
function recorded(texts: readonly string[], milliseconds: readonly number[] = texts.map(() => 500)): string {
  const frames = texts.map((text, at) => {
    const screen = createScreen(10, 2);
    screen.write(text);
    return { ...screen.picture(), milliseconds: milliseconds[at] ?? 0 };
  });
  return svgOf(frames, 10, 2, 'A <title> & more');
}

describe('a recording', () => {
  it('has its title for readers of the page, escaped', () => {
    const svg = recorded(['a']);
    expect(svg).toContain('<title>A\u00a0&lt;title>\u00a0&amp;\u00a0more</title>');
    expect(svg).toContain('role="img" aria-label="A\u00a0&lt;title>\u00a0&amp;\u00a0more"');
  });

  it('shows each frame as long as it lasted', () => {
    const svg = recorded(['a', 'b', 'c'], [1000, 2500, 500]);
    expect(svg).toContain('keyTimes="0.0000;0.2500;0.8750" dur="4.0s"');
    expect(svg.match(/<g transform="translate\(\d+ 0\)">/g)).toHaveLength(3);
  });

  it('has a line of several frames once, and an empty one not at all', () => {
    const svg = recorded(['same\r\none', 'same\r\ntwo', '']);
    expect(svg.match(/<g id="l\d+">/g)).toHaveLength(3);
    expect(svg.match(/<use href="#l0"/g)).toHaveLength(2);
  });

  it('draws the cursor of each frame at its place', () => {
    expect(recorded(['ab'])).toContain('<rect x="16.8" y="0" width="8.4"');
    expect(recorded(['a\r\n'])).toContain('<rect x="0" y="18" width="8.4"');
  });

  it.each([
    ['\x1b[1ma', 'font-weight="bold">a</text>'],
    ['\x1b[3ma', 'font-style="italic">a</text>'],
    ['\x1b[4m \x1b[0m', 'text-decoration="underline">\u00a0</text>'],
    ['\x1b[2ma', 'opacity="0.6">a</text>'],
    [
      '\x1b[7ma',
      '<rect x="0" width="8.4" height="18" fill="#d8dee9"/><text x="0" y="13.5" textLength="8.4" fill="#1b1e26">a',
    ],
    ['\x1b[42m \x1b[0m', '<rect x="0" width="8.4" height="18" fill="#98c379"/>'],
    ['a\x1b[31mb', 'x="8.4" y="13.5" textLength="8.4" fill="#e06c75">b</text>'],
    ['漢', 'textLength="16.8">漢</text>'],
    ['"<&>"', '&quot;&lt;&amp;>&quot;</text>'],
  ])('draws %j', (text, drawn) => {
    expect(recorded([text])).toContain(drawn);
  });

  it('draws nothing for blanks without a background', () => {
    expect(recorded(['   '])).not.toContain('<text');
  });
});
