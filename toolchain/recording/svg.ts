import type { Cell, Picture, Style } from './screen.ts';

export interface Frame {
  readonly rows: Picture;
  readonly cursor: { readonly row: number; readonly column: number };
  /** How long it is shown. */
  readonly milliseconds: number;
}

const CHARACTER = 8.4;
const LINE = 18;
const MARGIN = 14;
const TITLE_BAR = 30;
const BACKGROUND = '#1b1e26';
const FOREGROUND = '#d8dee9';

/**
 * An SVG that plays the frames in a loop. Without style sheets and scripts, so that a strict content security policy lets
 * it play; a line that several frames show is in it once.
 */
export function svgOf(frames: readonly Frame[], columns: number, rows: number, title: string): string {
  const width = Math.ceil(columns * CHARACTER) + 2 * MARGIN;
  const height = rows * LINE + MARGIN + TITLE_BAR;
  const lines = new Map<string, string>();
  const groups = frames.map(({ rows: shown, cursor }, at) => {
    const uses = shown.flatMap((row, y) => {
      const drawn = lineOf(row);
      if (drawn === '') return [];
      const id = lines.get(drawn) ?? `l${lines.size}`;
      lines.set(drawn, id);
      return [`<use href="#${id}" y="${y * LINE}"/>`];
    });
    const [x, y] = [number(cursor.column * CHARACTER), cursor.row * LINE];
    const block = `<rect x="${x}" y="${y}" width="${CHARACTER}" height="${LINE}" fill="${FOREGROUND}" opacity="0.5"/>`;
    return `<g transform="translate(${at * width} 0)">${uses.join('')}${block}</g>`;
  });
  const total = frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  let passed = 0;
  const times = frames.map(({ milliseconds }) => {
    const time = passed / total;
    passed += milliseconds;
    return time.toFixed(4);
  });
  const places = frames.map((_, at) => `${-at * width} 0`);
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (color, at) => `<circle cx="${18 + at * 18}" cy="15" r="5.5" fill="${color}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<title>${escapeXml(title)}</title>
<defs>
${[...lines].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`).join('\n')}
</defs>
<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>
${dots.join('')}
<svg x="${MARGIN}" y="${TITLE_BAR}" width="${width - 2 * MARGIN}" height="${rows * LINE}">
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${FOREGROUND}" xml:space="preserve">
<animateTransform attributeName="transform" type="translate" calcMode="discrete" values="${places.join(';')}" keyTimes="${times.join(';')}" dur="${(total / 1000).toFixed(1)}s" repeatCount="indefinite"/>
${groups.join('\n')}
</g>
</svg>
</svg>
`;
}

/** One line: backgrounds, then texts of one style each. Empty where nothing is seen. */
function lineOf(cells: readonly Cell[]): string {
  const parts: string[] = [];
  for (let at = 0; at < cells.length; ) {
    const style = cells[at]?.style;
    if (style === undefined) break;
    let end = at;
    let text = '';
    for (; end < cells.length && cells[end]?.style === style; end += 1) text += cells[end]?.text ?? '';
    parts.push(runOf(text, at, end - at, style));
    at = end;
  }
  return parts.join('');
}

function runOf(text: string, from: number, cells: number, style: Style): string {
  const [color, background] = style.inverse
    ? [style.background ?? BACKGROUND, style.color ?? FOREGROUND]
    : [style.color, style.background];
  const [x, width] = [number(from * CHARACTER), number(cells * CHARACTER)];
  const behind = background === null ? '' : `<rect x="${x}" width="${width}" height="${LINE}" fill="${background}"/>`;
  if (text.trim() === '' && !style.underlined) return behind;
  const attributes = [
    `x="${x}" y="13.5" textLength="${width}"`,
    ...(color === null ? [] : [`fill="${color}"`]),
    ...(style.bold ? ['font-weight="bold"'] : []),
    ...(style.italic ? ['font-style="italic"'] : []),
    ...(style.underlined ? ['text-decoration="underline"'] : []),
    ...(style.dim ? ['opacity="0.6"'] : []),
  ];
  return `${behind}<text ${attributes.join(' ')}>${escapeXml(text)}</text>`;
}

function number(value: number): string {
  return String(Number(value.toFixed(1)));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll(' ', '\u00a0');
}
