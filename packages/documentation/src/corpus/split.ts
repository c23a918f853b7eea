import { type Fence, fenceAfter, isBalanced, openingFence } from './fences.ts';
import { FORMS_WITH_URLS, FORMS_WITHOUT_URLS, type Form, type PageHead } from './forms.ts';
import { plainText } from './plain-text.ts';
import type { Sliced } from './sliced.ts';

/** One page of a corpus. */
export interface CorpusPage {
  readonly title: string;
  /** Address as the corpus gives it, or null. Nothing is invented. */
  readonly url: string | null;
  readonly lines: readonly string[];
  /** Other words for its subject. They are searched, and not shown. */
  readonly keywords?: string;
}

/** Lines read between two points at which the splitting may be interrupted. */
const LINES_A_STEP = 1000;

interface Start extends PageHead {
  /** Index of the line on which the page begins. */
  readonly at: number;
}

/**
 * Splits `llms-full.txt` of any generator into its pages.
 * @param knownTitles titles in `llms.txt`, which distinguish a page's heading from a heading inside a page
 */
export function* splitCorpus(text: string, knownTitles: ReadonlySet<string> = new Set()): Sliced<CorpusPage[]> {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const starts = yield* findStarts(lines, knownTitles);
  return starts.map((start, index) => {
    const body = lines.slice(start.body, starts[index + 1]?.at ?? lines.length);
    const page = { title: start.title ?? firstHeading(body) ?? 'Untitled', url: start.url, lines: trimEnd(body) };
    return start.keywords === undefined ? page : { ...page, keywords: start.keywords };
  });
}

/** Starts in the form that fits best: of those with addresses the most frequent, else the best without. */
function* findStarts(lines: readonly string[], knownTitles: ReadonlySet<string>): Sliced<Start[]> {
  let best: Start[] = [];
  for (const form of FORMS_WITH_URLS) {
    const starts = yield* startsIn(form, lines);
    if (starts.length > best.length) best = starts;
  }
  if (best.length > 0) return best;
  for (const form of FORMS_WITHOUT_URLS) {
    const starts = keepKnown(withFirstPage(form, yield* startsIn(form, lines), lines), knownTitles);
    if (starts.length > 0) return starts;
  }
  return [{ at: 0, title: null, url: null, body: 0 }];
}

/** In the form with rules the first page has no rule before it: it begins at the first heading of its level. */
function withFirstPage(form: Form, starts: Start[], lines: readonly string[]): Start[] {
  const first = starts[0];
  if (form.name !== 'rule, then heading' || !first) return starts;
  const at = lines.findIndex((line, index) => index < first.at && line.startsWith('## '));
  if (at < 0) return starts;
  return [{ at, title: plainText((lines[at] ?? '').slice(3)), url: null, body: at + 1 }, ...starts];
}

/** Where most titles are listed in `llms.txt`, one that is not is a heading inside a page. */
function keepKnown(starts: Start[], knownTitles: ReadonlySet<string>): Start[] {
  const known = starts.filter(({ title }) => title !== null && knownTitles.has(title.toLowerCase()));
  return known.length * 2 > starts.length ? known : starts;
}

function* startsIn(form: Form, lines: readonly string[]): Sliced<Start[]> {
  const starts: Start[] = [];
  let open: Fence | null = null;
  let opened = 0;
  for (let at = 0; at < lines.length; at += 1) {
    if (at % LINES_A_STEP === 0) yield;
    const head = form.headAt(lines, at);
    if (head && (open === null || isUnclosed(form, lines, opened, open, at))) {
      starts.push({ at, ...head });
      open = null;
      at = head.body - 1;
      continue;
    }
    const next = fenceAfter(open, lines[at] ?? '');
    if (open === null && next !== null) opened = at;
    open = next;
  }
  return starts;
}

/**
 * Whether a fence that is open at a possible page start is unclosed, so that the page is real, or contains a sample of a page. It
 * is unclosed if it has no end, if another block with an info string opens before that end, or if reading from the page start
 * balances its fences while reading on inside the fence does not.
 */
function isUnclosed(form: Form, lines: readonly string[], opened: number, fence: Fence, at: number): boolean {
  let end = at;
  while (end < lines.length && fenceAfter(fence, lines[end] ?? '') !== null) {
    const inner = openingFence(lines[end] ?? '');
    if (inner && inner.mark === fence.mark && inner.length >= fence.length) return true;
    end += 1;
  }
  if (end === lines.length) return true;
  let next = end + 1;
  while (next < lines.length && form.headAt(lines, next) === null) next += 1;
  return isBalanced(lines, at, next) && !isBalanced(lines, opened, next);
}

function firstHeading(lines: readonly string[]): string | null {
  let open: Fence | null = null;
  for (const line of lines) {
    const heading = open === null ? /^#{1,6} (.+)$/.exec(line)?.[1] : undefined;
    if (heading) return plainText(heading);
    open = fenceAfter(open, line);
  }
  return null;
}

/** Leaves out blank lines at the end and the rule that joins a page to the next. */
function trimEnd(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 0 && /^(?:\s*|---)$/.test(lines[end - 1] ?? '')) end -= 1;
  return lines.slice(0, end);
}
