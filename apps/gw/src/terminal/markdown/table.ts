import type { Tokens } from 'marked';
import { applyStyle, BLANK, type Line, lineWidth, span } from '../text/line.ts';
import { wrapWords } from '../text/wrap.ts';
import { inlineLine, splitLines } from './inline.ts';

const GAP = 2;
/** A column narrower than this is hard to read: the rows become records instead. */
const LEAST_COLUMN = 8;

/** A table whose cells are broken so that it fits. Where no room is left for that, one record a row. */
export function tableLines(table: Tokens.Table, columns: number): Line[] {
  const header = table.header.map((cell) => joinCell(cell));
  const rows = table.rows.map((row) => row.map((cell) => joinCell(cell)));
  const natural = header.map((cell, at) =>
    Math.max(lineWidth(cell), ...rows.map((row) => lineWidth(row[at] ?? BLANK))),
  );
  const widths = fitColumns(natural, columns - GAP * (natural.length - 1));
  if (widths === null) return rows.length === 0 ? names(header, columns) : records(header, rows, columns);
  const rule = widths.map((width) => '─'.repeat(width)).join(' '.repeat(GAP));
  return [
    ...rowLines(
      header.map((cell) => applyStyle(cell, { bold: true })),
      widths,
      table.align,
    ),
    [span(rule, { dim: true })],
    ...rows.flatMap((row) => rowLines(row, widths, table.align)),
  ];
}

function joinCell(cell: Tokens.TableCell): Line {
  return splitLines(inlineLine(cell.tokens)).flatMap((part, index) => (index === 0 ? part : [span(' '), ...part]));
}

/** The widest columns give room until all fit; null where they would become too narrow. */
function fitColumns(natural: readonly number[], room: number): number[] | null {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= LEAST_COLUMN) return null;
    const at = widths.indexOf(widest);
    const next = Math.max(LEAST_COLUMN, ...widths.filter((_, other) => other !== at));
    const cut = Math.min(excess, Math.max(1, widest - next));
    widths[at] = widest - cut;
    excess -= cut;
  }
  return widths;
}

function rowLines(cells: readonly Line[], widths: readonly number[], align: Tokens.Table['align']): Line[] {
  const broken = widths.map((width, at) => wrapWords(cells[at] ?? BLANK, width));
  const height = Math.max(...broken.map((rows) => rows.length));
  return Array.from({ length: height }, (_, row) =>
    withoutTrailingBlanks(
      widths.flatMap((width, at) => {
        const part = broken[at]?.[row] ?? BLANK;
        const free = Math.max(0, width - lineWidth(part));
        const left = align[at] === 'right' ? free : align[at] === 'center' ? Math.floor(free / 2) : 0;
        const right = at === widths.length - 1 ? 0 : free - left + GAP;
        return [span(' '.repeat(left)), ...part, span(' '.repeat(right))].filter(({ text }) => text !== '');
      }),
    ),
  );
}

function names(header: readonly Line[], columns: number): Line[] {
  return header.flatMap((cell) => wrapWords(applyStyle(cell, { bold: true }), columns));
}

function records(header: readonly Line[], rows: readonly (readonly Line[])[], columns: number): Line[] {
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [BLANK] : []),
    ...row.flatMap((cell, at) =>
      wrapWords([...applyStyle(header[at] ?? BLANK, { bold: true }), span(': '), ...cell], columns, {
        rest: [span('  ')],
      }),
    ),
  ]);
}

function withoutTrailingBlanks(row: Line): Line {
  const last = row.findLastIndex(({ text }) => text.trim() !== '');
  return row.slice(0, last + 1);
}
