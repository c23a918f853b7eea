import { type Block, blocksOf } from './blocks.ts';
import type { SearchIndex } from './build-index.ts';
import { frequency, rarity } from './postings.ts';
import type { AskedTerm } from './question.ts';

/** Characters an excerpt aims at. A fenced block that matches is shown whole even where it is longer. */
const AIM = 600;
/** A fenced block longer than this is left out: it would drown the rest of the answer. */
const LONGEST_CODE = 8000;

/**
 * The part of a passage that speaks most of what was asked: neighbouring paragraphs and fenced blocks, as they were
 * published. A long paragraph is cut at a line or word and marked with an ellipsis; a fenced block never is.
 */
export function excerptOf(index: SearchIndex, text: string, asked: readonly AskedTerm[]): string {
  const blocks = blocksOf(text).filter(({ kind, lines }) => kind === 'prose' || lengthOf(lines) <= LONGEST_CODE);
  const telling = tellingTerms(index, asked);
  const scores = blocks.map(({ lines }) => scoreOf(index, lines.join('\n'), telling));
  const best = scores.indexOf(Math.max(...scores));
  const center = blocks[best];
  if (!center) return '';
  if (center.kind === 'prose' && lengthOf(center.lines) > AIM) return cut(index, center.lines, telling);
  return blocks
    .slice(...windowAround(blocks, best))
    .map(({ lines }) => lines.join('\n'))
    .join('\n\n');
}

/** The block and as many of its neighbours as fit: those before it introduce it, so one of them comes first. */
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

/** The lines of a long paragraph that tell most, together at most as long as an excerpt aims to be. */
function cut(index: SearchIndex, lines: readonly string[], telling: ReadonlyMap<number, number>): string {
  const pieces = lines.flatMap((line) => (line.length > AIM ? inSentences(line) : [line]));
  let best = { from: 0, to: 1, score: -1 };
  for (let from = 0; from < pieces.length; from += 1) {
    let to = from + 1;
    while (to < pieces.length && lengthOf(pieces.slice(from, to + 1)) <= AIM) to += 1;
    const score = scoreOf(index, pieces.slice(from, to).join('\n'), telling);
    if (score > best.score) best = { from, to, score };
  }
  const text = pieces.slice(best.from, best.to).join('\n').trim();
  const short = text.length > AIM ? `${text.slice(0, text.lastIndexOf(' ', AIM))} …` : text;
  return `${best.from > 0 ? '… ' : ''}${short}${best.to < pieces.length ? ' …' : ''}`;
}

function inSentences(line: string): string[] {
  return line.split(/(?<=[.!?])\s+(?=\S)/);
}

/** Each term that may answer for the question, with how telling it is. */
function tellingTerms(index: SearchIndex, asked: readonly AskedTerm[]): ReadonlyMap<number, number> {
  const telling = new Map<number, number>();
  for (const { variants } of asked) {
    for (const { term, trust } of variants) {
      const weight = trust * rarity(index.inPassages.documents, frequency(index.inPassages, term));
      telling.set(term, Math.max(weight, telling.get(term) ?? 0));
    }
  }
  return telling;
}

/** Sum over the distinct terms of a text. */
function scoreOf({ vocabulary }: SearchIndex, text: string, telling: ReadonlyMap<number, number>): number {
  const terms: number[] = [];
  vocabulary.read(text, terms);
  let sum = 0;
  for (const term of new Set(terms)) sum += telling.get(term) ?? 0;
  return sum;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
