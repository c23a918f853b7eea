import { Marked, type Token } from 'marked';
import type { Lexer } from './stream.ts';

/** Lists and quotes within each other. The parser takes cubic time for them, and nobody writes so many. */
export const MOST_LEVELS = 40;

/** A part of a text, from one offset to another. */
interface Part {
  readonly from: number;
  readonly to: number;
}

const INDENTATION = /[ \t]*/y;
/** A blank or a line end follows, so that no later character changes what it is. */
const MARKER = /(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t\r\n]))[ \t]*/y;

/** The first block with more than `MOST_LEVELS` lists and quotes within each other; null where there is none. */
export function deepBlock(text: string): Part | null {
  /** Columns of the markers that are open. */
  let open: number[] = [];
  let from = 0;
  let lineEnd = 0;
  for (let at = 0; at < text.length; at = lineEnd) {
    lineEnd = endOfLine(text, at);
    const columns = markersOf(text, at);
    const [first] = columns;
    if (first === undefined) continue;
    open = open.filter((column) => column < first);
    if (open.length === 0) from = at;
    open.push(...columns);
    if (open.length > MOST_LEVELS) return { from, to: endOfBlock(text, lineEnd, open[0] ?? 0) };
  }
  return null;
}

/** Columns of the markers of lists and quotes that a line begins with; a tab counts as one. */
function markersOf(text: string, at: number): number[] {
  const columns: number[] = [];
  INDENTATION.lastIndex = at;
  INDENTATION.test(text);
  MARKER.lastIndex = INDENTATION.lastIndex;
  for (let column = MARKER.lastIndex; MARKER.test(text); column = MARKER.lastIndex) {
    columns.push(column - at);
    if (columns.length > MOST_LEVELS) break;
  }
  return columns;
}

/** Where a line begins that a blank line or a marker separates from the block, and that is not within it. */
function endOfBlock(text: string, start: number, column: number): number {
  let isBlank = false;
  for (let at = start; at < text.length; at = endOfLine(text, at)) {
    INDENTATION.lastIndex = at;
    INDENTATION.test(text);
    const indentation = INDENTATION.lastIndex - at;
    const isEmpty = /[\r\n]/.test(text[at + indentation] ?? '\n');
    if (!isEmpty && indentation <= column && (isBlank || markersOf(text, at).length > 0)) return at;
    isBlank = isEmpty;
  }
  return text.length;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

const marked = new Marked({ gfm: true });

/**
 * CommonMark with GitHub's tables, task lists and strikethrough. A block that is nested too deeply for the parser is a
 * paragraph of its lines.
 */
export const lexer: Lexer = (text) => {
  const tokens: Token[] = [];
  let rest = text;
  for (let deep = deepBlock(rest); deep !== null; deep = deepBlock(rest)) {
    tokens.push(...blocksOf(rest.slice(0, deep.from)), plain(rest.slice(deep.from, deep.to)));
    rest = rest.slice(deep.to);
  }
  return tokens.length === 0 ? blocksOf(text) : [...tokens, ...blocksOf(rest)];
};

function blocksOf(text: string): Token[] {
  try {
    return marked.lexer(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [plain(text)];
  }
}

function plain(raw: string): Token {
  const lines = raw.split('\n').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
  const tokens = lines.flatMap((text, at): Token[] => [
    ...(at === 0 ? [] : [{ type: 'br' as const, raw: '\n' }]),
    { type: 'text' as const, raw: text, text },
  ]);
  return { type: 'paragraph', raw, text: lines.join('\n'), tokens };
}
