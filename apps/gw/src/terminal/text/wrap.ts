import { graphemesOf, graphemeWidth, type Line, lineWidth, type Span, span, widthOf } from './line.ts';

export interface WrapOptions {
  /** Before the first row: a list marker, for instance. */
  readonly first?: Line;
  /** Before every further row. As wide as `first` as a rule. */
  readonly rest?: Line;
}

/** Room that a row keeps beside its prefix and indentation; in a narrower window the prefix is left out. */
const LEAST_ROOM = 8;

/**
 * Breaks a line between words into rows of at most `columns` columns. A word that is wider than a row is broken
 * anywhere. Blanks at a break are dropped.
 */
export function wrapWords(spans: Line, columns: number, { first = [], rest = [] }: WrapOptions = {}): Line[] {
  const fits = columns - Math.max(lineWidth(first), lineWidth(rest)) >= LEAST_ROOM;
  const [head, tail] = fits ? [first, rest] : [[], []];
  const rows: Line[] = [];
  let row: Span[] = [...head];
  let room = columns - lineWidth(head);
  let blank: Span | null = null;
  let begun = false;
  const feed = (): void => {
    rows.push(row);
    row = [...tail];
    room = columns - lineWidth(tail);
    blank = null;
    begun = false;
  };
  for (const word of wordsOf(spans)) {
    const width = word.reduce((sum, { text }) => sum + widthOf(text), 0);
    if (word[0]?.text.trim() === '') {
      if (begun) blank = word[0];
      else if (rows.length === 0) {
        const kept = Math.min(width, Math.max(0, room - LEAST_ROOM)); // of the line's own indentation
        row.push(span(' '.repeat(kept), word[0].style));
        room -= kept;
      }
      continue;
    }
    const before = blank === null ? 0 : widthOf(blank.text);
    if (begun && before + width > room) feed();
    if (blank !== null) {
      row.push(blank);
      room -= before;
      blank = null;
    }
    if (width <= room) {
      row.push(...word);
      room -= width;
      begun = true;
      continue;
    }
    for (const { text, style } of word) {
      for (const grapheme of graphemesOf(text)) {
        const needs = graphemeWidth(grapheme);
        if (needs > room && begun) feed();
        row.push(span(grapheme, style));
        room -= needs;
        begun = true;
      }
    }
  }
  rows.push(row);
  return rows.map(joinSpans);
}

/** Breaks a line wherever a row is full, as a terminal does. */
export function wrapCharacters(spans: Line, columns: number): Line[] {
  if (lineWidth(spans) <= columns) return [spans];
  const rows: Line[] = [];
  let row: Span[] = [];
  let room = columns;
  for (const { text, style } of spans) {
    for (const grapheme of graphemesOf(text)) {
      const width = graphemeWidth(grapheme);
      if (width > room && row.length > 0) {
        rows.push(row);
        row = [];
        room = columns;
      }
      row.push(span(grapheme, style));
      room -= width;
    }
  }
  rows.push(row);
  return rows.map(joinSpans);
}

/** Words and the blanks between them, alternating; a word may contain spans of several styles. */
function wordsOf(spans: Line): Span[][] {
  const words: Span[][] = [];
  let open: Span[] | null = null;
  for (const { text, style } of spans) {
    for (const [piece] of text.matchAll(/ +|[^ ]+/g)) {
      if (piece.startsWith(' ')) {
        words.push([span(piece, style)]);
        open = null;
      } else if (open === null) {
        open = [span(piece, style)];
        words.push(open);
      } else open.push(span(piece, style));
    }
  }
  return words;
}

/** Neighbours of the same style become one span. */
function joinSpans(row: Line): Line {
  const out: Span[] = [];
  for (const each of row) {
    const last = out.at(-1);
    if (last !== undefined && last.style === each.style) out[out.length - 1] = span(last.text + each.text, last.style);
    else out.push(each);
  }
  return out;
}
