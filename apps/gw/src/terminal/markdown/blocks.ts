import type { Token, Tokens } from 'marked';
import { applyStyle, BLANK, type Line, line, lineWidth, type Span, type Style, span } from '../text/line.ts';
import { safeLine } from '../text/safe.ts';
import { wrapWords } from '../text/wrap.ts';
import type { Highlight } from './highlight.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Marks within a line: bold, italic, code, links. The address of a link is always shown: a text can say anything. */
function inlineLine(tokens: readonly Token[], style: Style = {}): Line {
  return tokens.flatMap((token) => ofToken(token as Tokens.Generic, style));
}

function ofToken(token: Tokens.Generic, style: Style): Span[] {
  const inner = (more: Style): Span[] => [...inlineLine(token.tokens ?? [], { ...style, ...more })];
  switch (token.type) {
    case 'strong':
      return inner({ bold: true });
    case 'em':
      return inner({ italic: true });
    case 'del':
      return inner({ strike: true });
    case 'codespan':
      return [span(oneLine(String(token['text'])), { ...style, color: 'cyan' })];
    case 'link': {
      const shown = inner({ underline: true });
      const text = shown.map((each) => each.text).join('');
      const address = String(token['href']);
      const same = text === address || `mailto:${text}` === address;
      return same ? shown : [...shown, span(` (${address})`, { ...style, dim: true })];
    }
    case 'image':
      return [span(`${String(token['text'])} (${String(token['href'])})`, { ...style, dim: true })];
    case 'br':
      return [span('\n', style)];
    case 'text':
    case 'paragraph':
    case 'heading':
      return token.tokens === undefined ? [span(decodeEntities(String(token['text'])), style)] : inner({});
    case 'escape':
      return [span(String(token['text']), style)];
    case 'checkbox':
      return [];
    default:
      return [span(token.raw, style)];
  }
}

/** Splits a line at line breaks. A single line end within a paragraph is a blank. */
function splitLines(spans: Line): Line[] {
  const lines: Span[][] = [[]];
  for (const { text, style } of spans) {
    if (text === '\n') {
      lines.push([]);
      continue;
    }
    lines.at(-1)?.push(span(oneLine(text), style));
  }
  return lines;
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}

/** The lexer decodes entities that are numbers, also those of control characters: `&#27;` must not reach the terminal. */
function decodeEntities(text: string): string {
  return safeLine(text).replaceAll(/&([a-z]{2,6});/gi, (whole, name: string) => ENTITIES[name] ?? whole);
}

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

export interface BlockOptions {
  readonly columns: number;
  /** Null until the highlighter is loaded. */
  readonly highlight: Highlight | null;
  /** Lines of a code block that are on the scrollback already: they need no colours. */
  readonly skip?: number;
  /** Number of the first item, where items before it are on the scrollback already. */
  readonly ordinal?: number | undefined;
}

const CODE_INDENTATION = '  ';
/** Columns that text keeps in quotes and lists, however deep. */
const LEAST_COLUMNS = 10;
/** Lines of code before the first that is needed, for the highlighter to know where it is. */
export const CODE_CONTEXT = 60;
const QUOTE: Line = [span('│ ', { dim: true })];

/** One block as lines. Code keeps its lines, however long; everything else is broken to fit. */
export function blockLines(token: Token, options: BlockOptions): Line[] {
  const block = token as Tokens.Generic;
  const { columns } = options;
  switch (block.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading': {
      const style = block['depth'] === 1 ? { bold: true, underline: true } : { bold: true };
      return wrapSpans(inlineLine(block.tokens ?? [], style), columns);
    }
    case 'code':
      return codeLines(block as Tokens.Code, options);
    case 'list':
      return (block as Tokens.List).items.flatMap((item, index) =>
        itemLines(block as Tokens.List, item, index, options),
      );
    case 'blockquote': {
      const mark = columns - lineWidth(QUOTE) >= LEAST_COLUMNS ? QUOTE : BLANK;
      const inner = { ...options, columns: columns - lineWidth(mark), skip: 0, ordinal: undefined };
      return blocksLines(block.tokens ?? [], inner).map((row) => [...mark, ...applyStyle(row, { dim: true })]);
    }
    case 'table':
      return tableLines(block as Tokens.Table, columns);
    case 'hr':
      return [line('─'.repeat(Math.min(columns, 40)), { dim: true })];
    case 'html':
      return block.raw
        .trimEnd()
        .split('\n')
        .flatMap((each) => wrapWords(line(each), columns));
    default:
      return wrapSpans(inlineLine(block.tokens ?? [block]), columns);
  }
}

/** Several blocks, with a blank line between them. */
export function blocksLines(tokens: readonly Token[], options: BlockOptions): Line[] {
  const out: Line[] = [];
  for (const token of tokens) {
    const lines = blockLines(token, options);
    if (out.length > 0 && lines.length > 0) out.push(BLANK);
    out.push(...lines);
  }
  return out;
}

/** One item with its marker; what follows its first line is indented as far. */
export function itemLines(list: Tokens.List, item: Tokens.ListItem, index: number, options: BlockOptions): Line[] {
  const first = options.ordinal ?? (typeof list.start === 'number' ? list.start : 1);
  const bullet = list.ordered ? `${first + index}. ` : '• ';
  const marker = item.task ? `${list.ordered ? bullet : ''}[${item.checked ? 'x' : ' '}] ` : bullet;
  const indentation = ' '.repeat(marker.length);
  const inner = {
    ...options,
    columns: Math.max(LEAST_COLUMNS, options.columns - marker.length),
    skip: 0,
    ordinal: undefined,
  };
  const rows: Line[] = [];
  for (const token of item.tokens) {
    const lines = token.type === 'checkbox' ? [] : blockLines(token, inner);
    const apart = rows.length > 0 && lines.length > 0 && item.loose && token.type !== 'list';
    if (apart) rows.push(BLANK);
    rows.push(...lines);
  }
  if (rows.length === 0) rows.push(BLANK);
  return rows.map((row, at) => {
    if (at === 0) return [span(marker, { dim: true }), ...row];
    return row.length === 0 ? BLANK : [span(indentation), ...row];
  });
}

function codeLines({ text, lang }: Tokens.Code, { highlight, skip = 0 }: BlockOptions): Line[] {
  const all = text.split('\n');
  const from = Math.max(0, skip - CODE_CONTEXT);
  const language = (lang ?? '').trim().split(/\s/)[0] ?? '';
  const colored = highlight?.(all.slice(from).join('\n'), language) ?? all.slice(from).map((each) => line(each));
  const lines = [...all.slice(0, from).map((each) => line(each)), ...colored];
  return lines.map((each) => (each.length === 0 ? BLANK : [span(CODE_INDENTATION), ...each]));
}

function wrapSpans(spans: Line, columns: number): Line[] {
  return splitLines(spans).flatMap((each) => wrapWords(each, columns));
}
