import type { Sliced } from './sliced.ts';

/** A code span (CommonMark §6.1): as many backticks close it as opened it. A single character is its content at least. */
const CODE_SPAN = /(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
/** Stands for a code span while the text around it is read; no heading contains a NUL. */
const HELD = /\0(\d+)\0/g;

/** Where a page of a corpus begins. */
export interface PageHead {
  readonly title: string | null;
  /** Address in the corpus: absolute, or a path; null in forms without addresses. */
  readonly url: string | null;
  /** Index of the first line of the page's own text. */
  readonly body: number;
  /** Other words for the page's subject, which its text lacks; only in front matter. */
  readonly keywords?: string;
  /** Words by which a question names the one thing that the page is about; only in front matter. */
  readonly names?: string;
}

/** One way in which generators write `llms-full.txt`. */
interface Form {
  readonly name: string;
  /** The page that begins at a line, or null. Knows nothing of fences. */
  readonly headAt: (lines: readonly string[], at: number) => PageHead | null;
}

const TITLE = /^# (.+)$/;
const LABELLED_URL =
  /^(?:\[\w+\] )?(?:source|url|source url|page url|canonical|link|page)\s*:\s*<?(https?:\/\/\S+?|\/\S*?)>?$/i;
const BARE_URL = /^<?(https?:\/\/[^\s<>]+)>?$/;
const URL_COMMENT = /^<!--\s*(?:source|url|page)\s*:\s*(\S+?)\s*-->$/i;

function urlOn(line: string | undefined): string | null {
  if (line === undefined) return null;
  return (LABELLED_URL.exec(line) ?? URL_COMMENT.exec(line) ?? BARE_URL.exec(line))?.[1] ?? null;
}

/** Index of the first line from `at` on that is not blank, at most two lines further. */
function afterBlanks(lines: readonly string[], at: number): number {
  let index = at;
  while (index < at + 2 && lines[index]?.trim() === '') index += 1;
  return index;
}

/** `# Title`, then `Source: URL` (Mintlify). */
const headingThenUrl: Form = {
  name: 'heading, then URL',
  headAt: (lines, at) => {
    const title = TITLE.exec(lines[at] ?? '')?.[1];
    if (title === undefined) return null;
    const below = afterBlanks(lines, at + 1);
    const url = urlOn(lines[below]);
    return url === null ? null : { title: plainText(title), url, body: below + 1 };
  },
};

/** `Source: URL`, then `# Title`. */
const urlThenHeading: Form = {
  name: 'URL, then heading',
  headAt: (lines, at) => {
    const url = urlOn(lines[at]);
    if (url === null) return null;
    const below = afterBlanks(lines, at + 1);
    const title = TITLE.exec(lines[below] ?? '')?.[1];
    return title === undefined ? null : { title: plainText(title), url, body: below + 1 };
  },
};

/** `# Title (/url)` (Fumadocs). */
const headingWithUrl: Form = {
  name: 'heading with URL',
  headAt: (lines, at) => {
    const head = /^# (.+) \((\/[^\s()]*|https?:\/\/[^\s()]+)\)$/.exec(lines[at] ?? '');
    return head?.[1] && head[2] ? { title: plainText(head[1]), url: head[2], body: at + 1 } : null;
  },
};

const URL_KEYS = ['url', 'source_url', 'source', 'canonical', 'permalink', 'href', 'link'];
/** Maximum number of lines in a front matter. */
const LONGEST_FRONT_MATTER = 60;

/** A front matter with the address between two `---` (vitepress-plugin-llms). */
const frontMatter: Form = {
  name: 'front matter',
  headAt: (lines, at) => {
    if (lines[at] !== '---' || !/^[\w-]+:/.test(lines[at + 1] ?? '')) return null;
    const values = new Map<string, string>();
    for (let index = at + 1; index < at + LONGEST_FRONT_MATTER; index += 1) {
      const line = lines[index];
      if (line === undefined) return null;
      if (line === '---') {
        const url = URL_KEYS.map((key) => values.get(key)).find((value) => value);
        const title = values.get('title');
        if (!url && !title) return null;
        const head = { title: title ? plainText(title) : null, url: url ?? null, body: index + 1 };
        return { ...head, ...wordsIn(values) };
      }
      const pair = /^([\w-]+):\s*(.*)$/.exec(line);
      if (pair?.[1]) values.set(pair[1].toLowerCase(), unquote(pair[2] ?? ''));
      // Values continue over several lines only when those are indented or list items.
      else if (line !== '' && !/^[\s-]/.test(line)) return null;
    }
    return null;
  },
};

function wordsIn(values: ReadonlyMap<string, string>): Pick<PageHead, 'keywords' | 'names'> {
  const [keywords, names] = [values.get('keywords'), values.get('names')];
  return { ...(keywords ? { keywords } : {}), ...(names ? { names } : {}) };
}

function unquote(value: string): string {
  const quoted = /^(['"])(.*)\1$/.exec(value.trim());
  return quoted?.[2] ?? value.trim();
}

/** `---`, then `## Title`; the first page follows the file's own heading (docusaurus-plugin-llms). */
const ruleThenHeading: Form = {
  name: 'rule, then heading',
  headAt: (lines, at) => {
    if (lines[at] !== '---') return null;
    const below = afterBlanks(lines, at + 1);
    const title = /^## (.+)$/.exec(lines[below] ?? '')?.[1];
    return below === at + 1 || title === undefined ? null : { title: plainText(title), url: null, body: below + 1 };
  },
};

/** `# Title` alone (starlight-llms-txt, and files written by hand). */
const headingAlone: Form = {
  name: 'heading alone',
  headAt: (lines, at) => {
    const title = TITLE.exec(lines[at] ?? '')?.[1];
    return title === undefined ? null : { title: plainText(title), url: null, body: at + 1 };
  },
};

/** Forms with addresses, then those without, each from the most to the least specific. */
export const FORMS_WITH_URLS = [frontMatter, headingWithUrl, headingThenUrl, urlThenHeading] as const;
export const FORMS_WITHOUT_URLS = [ruleThenHeading, headingAlone] as const;

/** One page of a corpus. */
export interface CorpusPage {
  readonly title: string;
  /** Address as the corpus gives it, or null. Nothing is invented. */
  readonly url: string | null;
  readonly lines: readonly string[];
  /** Other words for its subject. They are searched, and not shown. */
  readonly keywords?: string;
  /** Words of which a question about the page has one, where the page is about one program or product. */
  readonly names?: string;
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
    const { keywords, names } = start;
    return { ...page, ...(keywords === undefined ? {} : { keywords }), ...(names === undefined ? {} : { names }) };
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

/**
 * Fenced code blocks (CommonMark §4.5), followed line by line. Any indentation is accepted, because a block inside a list item is
 * indented as far as the item.
 */
export interface Fence {
  readonly mark: '`' | '~';
  /** How many marks opened it; as many close it. */
  readonly length: number;
}

/** Spares most lines the regular expressions. */
function mayBeFence(line: string): boolean {
  return line.includes('```') || line.includes('~~~');
}

/** The fence that a line opens, or null. A line of backticks with a backtick further on is inline code. */
export function openingFence(line: string): Fence | null {
  if (!mayBeFence(line)) return null;
  const opened = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line);
  return opened?.[1] ? { mark: opened[1][0] as '`' | '~', length: opened[1].length } : null;
}

/** Whether a line closes a fence: at least as many of the same marks and nothing else. */
export function closesFence(line: string, fence: Fence): boolean {
  if (!mayBeFence(line)) return false;
  const closing = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return closing?.[0] === fence.mark && closing.length >= fence.length;
}

/** The open fence after a line, given the one that was open before it. */
export function fenceAfter(open: Fence | null, line: string): Fence | null {
  if (open === null) return openingFence(line);
  return closesFence(line, open) ? null : open;
}

/** Whether all fences that lines open are closed at their end. */
export function isBalanced(lines: readonly string[], from: number, to: number): boolean {
  let open: Fence | null = null;
  for (let at = from; at < to; at += 1) open = fenceAfter(open, lines[at] ?? '');
  return open === null;
}

/** A heading as a reader sees it: without anchors, links, emphasis, badges and closing marks. Code is unchanged. */
export function plainText(markdown: string): string {
  const code: string[] = [];
  return markdown
    .replaceAll('\0', '')
    .replace(CODE_SPAN, (_, _marks, content: string) => `\0${code.push(content.replace(/^ (.*\S.*) $/, '$1')) - 1}\0`)
    .replace(/\s+#+\s*$/, '')
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<(?:[A-Z][\w.]*|a|span|sup|sub|br|img|code|kbd|b|i|em|strong)\b[^>]*>|<\/[A-Za-z][\w.]*>/g, '')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\\*\w])\*(?=[^\s*])([^*]*[^\s*\\])\*(?![*\w])/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(HELD, (_, index: string) => code[Number(index)] ?? '')
    .replace(/\u200b/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
