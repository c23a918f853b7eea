import { type Fence, fenceAfter, openingFence } from '../corpus/fences.ts';
import type { SearchIndex } from './build-index.ts';
import { frequency, rarity } from './postings.ts';
import type { AskedTerm } from './question.ts';

/** A paragraph, list or table, or a fenced block with both its marks. */
interface Block {
  readonly kind: 'prose' | 'code';
  readonly lines: readonly string[];
}

/** A line that only opens or closes a component of the page: nothing to read. */
const COMPONENT = /^\s*<\/?[A-Z][\w.]*(?:\s[^<>]*)?\/?>\s*$/;

/** Cuts the text of a passage at blank lines and around fenced blocks. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let open: Fence | null = null;
  const finish = (): void => {
    if (lines.length > 0) blocks.push({ kind: 'prose', lines });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const next = fenceAfter(open, line);
    if (open === null && next !== null) finish();
    if (open !== null && next === null) {
      blocks.push(codeBlock(lines, open));
      lines = [];
    } else if (open === null && next === null) {
      if (line.trim() === '') finish();
      else if (!COMPONENT.test(line) && !looksLikeFence(line)) lines.push(line);
    } else {
      lines.push(line);
    }
    open = next;
  }
  if (open === null) finish();
  else blocks.push(codeBlock(lines, open));
  return blocks;
}

/**
 * A block with its closing line, moved to the left by the indentation of its first line, so that CommonMark readers see the same
 * beginning and end.
 */
function codeBlock(lines: readonly string[], { mark, length }: Fence): Block {
  const indentation = (lines[0] ?? '').search(/\S/);
  const moved = lines.map((line) => line.slice(Math.min(indentation, Math.max(0, line.search(/\S|$/)))));
  return { kind: 'code', lines: [...moved, mark.repeat(length)] };
}

/** Inline code of three backticks at the start of a line, which other readers take for an opened block. */
function looksLikeFence(line: string): boolean {
  return openingFence(line) === null && /^\s*(?:`{3}|~{3})/.test(line);
}

/** Characters an excerpt aims at. A fenced block that matches is shown whole even where it is longer. */
const AIM = 600;
/** A fenced block longer than this is left out: it would drown the rest of the answer. */
const LONGEST_CODE = 8000;

/**
 * The part of a passage with most of the question's terms: neighbouring paragraphs and fenced blocks, unchanged. A long paragraph
 * is cut at a line or word and marked with an ellipsis; a fenced block never is.
 */
export function excerptOf(index: SearchIndex, text: string, asked: readonly AskedTerm[]): string {
  const blocks = blocksOf(text).filter(({ kind, lines }) => kind === 'prose' || lengthOf(lines) <= LONGEST_CODE);
  if (blocks.reduce((sum, { lines }) => sum + lengthOf(lines), 0) <= AIM) return joinBlocks(blocks);
  const significant = significantTerms(index, asked);
  const scores = blocks.map(({ lines }) => scoreOf(index, lines.join('\n'), significant));
  const best = scores.indexOf(Math.max(...scores));
  const center = blocks[best];
  if (!center) return '';
  if (center.kind === 'prose' && lengthOf(center.lines) > AIM) return cut(index, center.lines, significant);
  return joinBlocks(blocks.slice(...windowAround(blocks, best)));
}

function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ lines }) => lines.join('\n')).join('\n\n');
}

/** The block and as many of its neighbours as fit, beginning with one before it, which introduces it. */
function windowAround(blocks: readonly Block[], best: number): [from: number, to: number] {
  let [from, to] = [best, best + 1];
  let length = lengthOf(blocks[best]?.lines ?? []);
  const fits = (at: number): boolean => {
    const block = blocks[at];
    if (!block || length + lengthOf(block.lines) > AIM) return false;
    length += lengthOf(block.lines);
    return true;
  };
  if (fits(from - 1)) from -= 1;
  while (fits(to)) to += 1;
  while (fits(from - 1)) from -= 1;
  return [from, to];
}

/**
 * The lines of a long paragraph with the highest score, together at most as long as an excerpt. Each line is read once, and the
 * window moves by dropping its first line, so that a table of a megabyte is no attack.
 */
function cut(index: SearchIndex, lines: readonly string[], significant: ReadonlyMap<number, number>): string {
  const pieces = lines.flatMap((line) => (line.length > AIM ? inSentences(line) : [line]));
  const said = pieces.map((piece) => findMentioned(index, piece, significant));
  const stretch = new Stretch(significant);
  let best = { from: 0, to: 1, score: -1 };
  let to = 0;
  let length = 0;
  for (let from = 0; from < pieces.length; from += 1) {
    while (to === from || (to < pieces.length && length + (pieces[to]?.length ?? 0) < AIM)) {
      stretch.add(said[to] ?? []);
      length += (pieces[to]?.length ?? 0) + 1;
      to += 1;
    }
    if (stretch.score > best.score) best = { from, to, score: stretch.score };
    stretch.drop(said[from] ?? []);
    length -= (pieces[from]?.length ?? 0) + 1;
  }
  const text = pieces.slice(best.from, best.to).join('\n').trim();
  const short = text.length > AIM ? `${shorten(text)} …` : text;
  return `${best.from > 0 ? '… ' : ''}${short}${best.to < pieces.length ? ' …' : ''}`;
}

/** The sum over the distinct terms of a window of lines, updated as lines enter and leave. */
class Stretch {
  readonly #significant: ReadonlyMap<number, number>;
  readonly #counts = new Map<number, number>();
  score = 0;

  constructor(significant: ReadonlyMap<number, number>) {
    this.#significant = significant;
  }

  add(terms: readonly number[]): void {
    for (const term of terms) {
      const count = this.#counts.get(term) ?? 0;
      if (count === 0) this.score += this.#significant.get(term) ?? 0;
      this.#counts.set(term, count + 1);
    }
  }

  drop(terms: readonly number[]): void {
    for (const term of terms) {
      const count = this.#counts.get(term) ?? 0;
      if (count === 1) this.score -= this.#significant.get(term) ?? 0;
      this.#counts.set(term, count - 1);
    }
  }
}

function inSentences(line: string): string[] {
  return line.split(/(?<=[.!?])\s+(?=\S)|(?<=[\u3002\uff01\uff1f])(?=.)/);
}

/** Cut at a word where the text has words, else between two characters. */
function shorten(text: string): string {
  const end = text.lastIndexOf(' ', AIM);
  return text.slice(0, end > 0 ? end : AIM).replace(/[\ud800-\udbff]$/, '');
}

/** Each term that may answer the question, with its significance. */
function significantTerms(index: SearchIndex, asked: readonly AskedTerm[]): ReadonlyMap<number, number> {
  const significant = new Map<number, number>();
  for (const { variants } of asked) {
    for (const { term, trust } of variants) {
      const weight = trust * rarity(index.inPassages.documents, frequency(index.inPassages, term));
      significant.set(term, Math.max(weight, significant.get(term) ?? 0));
    }
  }
  return significant;
}

/** The distinct significant terms of a text. */
function findMentioned({ vocabulary }: SearchIndex, text: string, significant: ReadonlyMap<number, number>): number[] {
  const terms: number[] = [];
  vocabulary.read(text, terms);
  return [...new Set(terms.filter((term) => significant.has(term)))];
}

function scoreOf(index: SearchIndex, text: string, significant: ReadonlyMap<number, number>): number {
  return findMentioned(index, text, significant).reduce((sum, term) => sum + (significant.get(term) ?? 0), 0);
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
