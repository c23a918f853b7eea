import type { Token, Tokens } from 'marked';
import { applyStyle, BLANK, type Line, line, lineWidth, span } from '../text/line.ts';
import { wrapWords } from '../text/wrap.ts';
import type { Highlight } from './highlight.ts';
import { inlineLine, splitLines } from './inline.ts';
import { tableLines } from './table.ts';

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
