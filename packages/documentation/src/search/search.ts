import { readFile } from 'node:fs/promises';
import type { Archive } from '../archive/load.ts';
import { textOf } from '../archive/text.ts';
import { inSlices } from '../corpus/sliced.ts';
import { type Addresses, addressesIn } from './addresses.ts';
import type { SearchIndex } from './build-index.ts';
import { coverageOf } from './confidence.ts';
import { createEngine, type Engine } from './engine.ts';
import { excerptOf } from './excerpt.ts';
import { correctionNote, refusalNote } from './notes.ts';
import type { AskedTerm } from './question.ts';
import type { Ranked } from './rank.ts';

/** One passage of an answer (documentation-8). */
export interface SearchResult {
  /** Title of the page. */
  readonly page: string;
  /** Heading of the passage, or null for the text before the first. */
  readonly section: string | null;
  /** Path on this gateway. */
  readonly url: string;
  readonly excerpt: string;
  /** Comparable within one answer only; never rises from one result to the next. */
  readonly score: number;
  /** Share of the question that the passage covers, from 0 to 1. */
  readonly coverage: number;
}

/** The answer to a question, as search and the query server give it. */
export interface SearchResponse {
  readonly version: string;
  /** Path prefix of the installed documentation. */
  readonly base: string;
  readonly query: string;
  /** The searched words, without stop words. */
  readonly terms: readonly string[];
  readonly answered: boolean;
  readonly results: readonly SearchResult[];
  /** Where nothing covers the question: the best passage of each of the nearest pages. Absent from an answered question. */
  readonly nearest?: readonly SearchResult[];
  /** If nothing covers the question, the cause; if words were corrected, the corrections. */
  readonly note?: string;
}

/** Number of pages listed without an answer. */
const MOST_NEAREST = 3;
/** Number of passages in which the nearest pages are searched: several of the best may be on one page. */
const CONSIDERED_NEAREST = 20;

/** @param limit passages, 1 to 20 */
export type Search = (query: string, limit: number) => SearchResponse;

/** Prepares the search over an archive, in slices; null for an archive without `llms-full.txt`. */
export async function prepareSearch(archive: Archive): Promise<Search | null> {
  const corpus = await readText(archive, 'llms-full.txt');
  if (corpus === null) return null;
  const engine = await inSlices(createEngine(corpus, (await readText(archive, 'llms.txt')) ?? ''));
  const addresses = addressesIn(
    archive,
    engine.index.pages.map(({ url }) => url),
  );
  return (query, limit) => answerQuestion(archive, engine, addresses, query, limit);
}

async function readText({ files }: Archive, name: string): Promise<string | null> {
  const file = files.get(name);
  return file ? textOf(file.bytes ?? (await readFile(file.path))) : null;
}

function answerQuestion(
  { card }: Archive,
  { index, ask }: Engine,
  addresses: Addresses,
  query: string,
  limit: number,
): SearchResponse {
  const { asked, answered, ranked } = ask(query, limit);
  const counted = asked.filter((term) => term.asked);
  const response = {
    version: card.version,
    base: card.path,
    query,
    terms: [...new Set(counted.map(({ word }) => word))],
    answered,
  };
  const resultOf = ({ passage: number, score }: Ranked): SearchResult => {
    const passage = index.passages[number];
    const page = index.pages[passage?.page ?? 0];
    const section = passage?.headings.at(-1) ?? null;
    return {
      page: page?.title ?? '',
      section,
      url: addresses.of(page?.url ?? null, section),
      excerpt: excerptOf(index, passage?.text ?? '', asked),
      score: round(score),
      coverage: round(coverageOf(index, asked, number)),
    };
  };
  if (!answered) {
    const nearest = nearestPages(index, counted, ask(query, CONSIDERED_NEAREST).ranked);
    const most = Math.min(limit, MOST_NEAREST);
    return { ...response, results: [], nearest: nearest.slice(0, most).map(resultOf), note: refusalNote(counted) };
  }
  const results = ranked.map(resultOf);
  const note = correctionNote(counted);
  return note === null ? { ...response, results } : { ...response, results, note };
}

/** The best passage of each page; none for a question without a significant word of the documentation. */
function nearestPages(index: SearchIndex, asked: readonly AskedTerm[], ranked: readonly Ranked[]): Ranked[] {
  if (!asked.some(({ significant, variants }) => significant && variants.length > 0)) return [];
  const pages = new Set<number>();
  return ranked.filter(({ passage }) => {
    const page = index.passages[passage]?.page ?? 0;
    return !pages.has(page) && pages.add(page);
  });
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
