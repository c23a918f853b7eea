import { readFile } from 'node:fs/promises';
import { refusal } from '@gateway/contract';
import { type Archive, decodeUtf8 } from '../corpus/archive.ts';
import { jsonAnswer, type PageAnswer, refuse } from '../corpus/pages.ts';
import { inSlices } from '../corpus/sliced.ts';
import { type Fence, fenceAfter, openingFence } from '../corpus/split.ts';
import type { SearchIndex } from './build-index.ts';
import { createEngine, type Engine } from './engine.ts';
import { frequency, rarity } from './postings.ts';
import type { AskedTerm } from './question.ts';
import { coverageOf, type Ranked } from './rank.ts';

/** Finds where this gateway serves the pages of a corpus. */
interface Addresses {
  /**
   * Path on this gateway.
   * @param url address from the corpus; null gives the corpus file, which contains the passage
   * @param section heading whose anchor is added, where the page has one
   */
  readonly of: (url: string | null, section: string | null) => string;
}

/** Segments before a page's path that a corpus may have and an archive not: the path prefix of another site. */
const MOST_FOREIGN_SEGMENTS = 4;

/** @param urls addresses of all pages; together they show which first segments the archive omits */
export function addressesIn(archive: Archive, urls: readonly (string | null)[]): Addresses {
  const base = archive.card.path;
  const paths = urls.flatMap((url) => (url === null ? [] : [segmentsOf(url)]));
  const foreign = foreignSegments(archive, paths);
  const anchors = new Map<string, ReadonlyMap<string, string>>();
  const anchorsOf = (name: string): ReadonlyMap<string, string> => {
    const bytes = archive.files.get(name)?.bytes;
    const known = anchors.get(name) ?? anchorsIn(bytes ? decodeUtf8(bytes) : '');
    anchors.set(name, known);
    return known;
  };
  return {
    of: (url, section) => {
      if (url === null) return `${base}/llms-full.txt`;
      const segments = segmentsOf(url).slice(foreign);
      const name = fileOf(archive, segments);
      if (name === null) return pathOf(base, segments);
      const address = pathOf(base, name.replace(/(^|\/)index\.html$/, '$1').split('/'));
      const anchor = section === null ? undefined : anchorsOf(name).get(comparable(section));
      return anchor === undefined ? address : `${address}#${encodeURIComponent(anchor)}`;
    },
  };
}

/** Number of first segments to omit so that most pages are found; none when that does not help. */
function foreignSegments(archive: Archive, paths: readonly (readonly string[])[]): number {
  let best = { foreign: 0, found: 0 };
  for (let foreign = 0; foreign <= MOST_FOREIGN_SEGMENTS; foreign += 1) {
    const found = paths.filter((path) => path.length > foreign && fileOf(archive, path.slice(foreign)) !== null).length;
    if (found > best.found) best = { foreign, found };
  }
  return best.foreign;
}

/** Name of the file that shows a page: its HTML where there is one, else its Markdown; null when it is not installed. */
function fileOf({ files }: Archive, segments: readonly string[]): string | null {
  const name = segments.join('/').replace(/\/$/, '');
  const stem = name.replace(/\.(?:md|mdx|html)$/, '').replace(/(^|\/)index$/, '');
  const folder = stem === '' || stem.endsWith('/') ? stem : `${stem}/`;
  return [`${stem}.html`, `${folder}index.html`, name, `${stem}.md`].find((candidate) => files.has(candidate)) ?? null;
}

/** Decoded path segments of an absolute or relative address; query and fragment do not distinguish pages. */
function segmentsOf(url: string): string[] {
  const parsed = URL.parse(url, 'http://corpus.invalid/');
  return (parsed?.pathname ?? '')
    .slice(1)
    .split('/')
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    });
}

function pathOf(base: string, segments: readonly string[]): string {
  return [base, ...segments.map(encodeURIComponent)].join('/');
}

/** A heading with its anchor: minifiers use the quotes that they need, or none. */
const HEADING = /<h([1-6])\b[^>]*?\sid\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'=<>`]+))[^>]*>([\s\S]*?)<\/h\1>/gi;

/** Anchors of a page by what can be compared of their headings; of equal headings the first. */
function anchorsIn(html: string): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  for (const [, , double, single, bare, content = ''] of html.matchAll(HEADING)) {
    const id = double ?? single ?? bare ?? '';
    const text = comparable(content.replace(/<[^>]*>/g, ' ').replace(/&[a-z#0-9]+;/gi, ' '));
    if (!anchors.has(text)) anchors.set(text, id);
  }
  return anchors;
}

function comparable(heading: string): string {
  return (
    heading
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  );
}

/** How an answer begins that has no passages; the manual's search box shows it too. */
const NO_ANSWER = 'No page answers this.';

/** Says that nothing covers a question: what the documentation does not mention, and what may have been meant. */
export function refusalNote(asked: readonly AskedTerm[]): string {
  const unknown = distinct(asked.filter(({ known, significant }) => significant && !known).map(({ shown }) => shown));
  const meant = distinct(asked.flatMap(({ known, suggestion }) => (known || suggestion === null ? [] : [suggestion])));
  return [
    NO_ANSWER,
    ...(unknown.length === 0 ? [] : [`It does not mention: ${unknown.join(', ')}.`]),
    ...(meant.length === 0 ? [] : [`Did you mean: ${meant.join(', ')}?`]),
    ...readAs(asked),
  ].join(' ');
}

/** Lists the words of an answered question that were corrected; null for none. */
export function correctionNote(asked: readonly AskedTerm[]): string | null {
  const read = readAs(asked);
  return read.length === 0 ? null : read.join(' ');
}

function readAs(asked: readonly AskedTerm[]): string[] {
  const typed = distinct(asked.flatMap((term) => (term.typed === null ? [] : [term.typed])));
  return typed.map((word) => {
    const meant = distinct(asked.filter((term) => term.typed === word).map((term) => term.shown)).join(' ');
    return `Searched for ${meant} in place of ${word}, which the documentation does not mention.`;
  });
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)];
}

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
  return file ? decodeUtf8(file.bytes ?? (await readFile(file.path))) : null;
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

/** Bounds of a question and of the number of passages (documentation-10). */
export const LONGEST_QUESTION = 1000;
export const FEWEST_PASSAGES = 1;
export const MOST_PASSAGES = 20;
export const USUAL_PASSAGES = 5;

/**
 * Answers `/v/_search` (documentation-8).
 * @param search null where the archive carries no corpus
 * @param query of the raw target, from `?` on
 */
export function answerSearch(search: Search | null, method: string, query: string): PageAnswer {
  if (method !== 'GET' && method !== 'HEAD') {
    return refuse(refusal('search-read-only', { headers: { allow: 'GET, HEAD' } }));
  }
  if (search === null) return refuse(refusal('search-corpus-absent'));
  const parameters = new URLSearchParams(query);
  const question = parameters.get('q') ?? '';
  // The sentence shows a placeholder of its own where other sentences are filled.
  if (question.trim() === '') return refuse(refusal('search-question-missing', { details: { words: '<words>' } }));
  if (isTooLong(question)) {
    return refuse(refusal('search-question-too-long', { details: { most: String(LONGEST_QUESTION) } }));
  }
  return jsonAnswer(200, search(question, limitOf(parameters.get('limit'))));
}

/** Counts characters as a reader does, not the two halves of those beyond the basic plane. */
export function isTooLong(question: string): boolean {
  return question.length > LONGEST_QUESTION && Array.from(question).length > LONGEST_QUESTION;
}

/** Clamped; a value that is no integer takes the usual number. */
function limitOf(limit: string | null): number {
  if (limit === null || !/^[+-]?\d+$/.test(limit)) return USUAL_PASSAGES;
  return Math.min(MOST_PASSAGES, Math.max(FEWEST_PASSAGES, Number(limit)));
}

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
