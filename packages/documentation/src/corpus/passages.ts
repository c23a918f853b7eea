import { type CorpusPage, type Fence, fenceAfter, plainText } from './split.ts';

/** One heading section of a page: what search finds. */
export interface Passage {
  /** Headings above and including its own, from the outermost on; the page's title is not among them. */
  readonly headings: readonly string[];
  /** Text below the heading, up to the next heading of any level. Every fence that opens in it closes in it. */
  readonly text: string;
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/;

/** Cuts a page into its heading sections. Sections without a text of their own live on in the headings of theirs. */
export function passagesOf(page: CorpusPage): Passage[] {
  const passages: Passage[] = [];
  const above: { level: number; text: string }[] = [];
  let lines: string[] = [];
  const finish = (): void => {
    const text = lines
      .join('\n')
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd();
    if (text !== '') passages.push({ headings: above.map((heading) => heading.text), text });
    lines = [];
  };
  let open: Fence | null = null;
  for (const [at, line] of page.lines.entries()) {
    if (open !== null && endsUnclosed(page.lines, at, open)) {
      lines.push(open.mark.repeat(open.length));
      open = null;
    }
    const heading = open === null ? HEADING.exec(line) : null;
    if (!heading) {
      open = fenceAfter(open, line);
      lines.push(line);
      continue;
    }
    finish();
    const level = heading[1]?.length ?? 1;
    const text = plainText(heading[2] ?? '');
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    // The page's own title, repeated in its text, heads no section.
    if (text !== '' && !(level === 1 && sameTitle(text, page.title))) above.push({ level, text });
  }
  if (open !== null) lines.push(open.mark.repeat(open.length));
  finish();
  return passages;
}

function sameTitle(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { sensitivity: 'base' }) === 0;
}

/**
 * Whether a fence that never closes on its page ends before a line: at a heading of a lower level than the first (a single mark
 * is a comment in many languages) between blank lines.
 */
function endsUnclosed(lines: readonly string[], at: number, open: Fence): boolean {
  if (!/^#{2,6} \S/.test(lines[at] ?? '')) return false;
  if (lines[at - 1]?.trim() !== '' || (lines[at + 1]?.trim() ?? '') !== '') return false;
  for (let below = at; below < lines.length; below += 1) {
    if (fenceAfter(open, lines[below] ?? '') === null) return false;
  }
  return true;
}

/** Addresses that `llms.txt` lists, by lower-case title, in the order of the file. */
type ListedLinks = ReadonlyMap<string, readonly string[]>;

/** Reads the list items of `llms.txt`: `- [Title](url): description`. */
export function readLinks(llms: string): ListedLinks {
  const links = new Map<string, string[]>();
  for (const [, title = '', url = ''] of llms.matchAll(/^\s*[-*+]\s+\[([^\]\n]+)\]\(\s*<?([^)\s>]+)>?[^)]*\)/gm)) {
    const key = plainText(title).toLowerCase();
    links.set(key, [...(links.get(key) ?? []), url]);
  }
  return links;
}

/**
 * Gives pages without an address the one that `llms.txt` lists for their title. A title of several pages is matched in order, and
 * only with as many addresses, because any other assignment would be a guess.
 */
export function withListedAddresses(pages: readonly CorpusPage[], links: ListedLinks): CorpusPage[] {
  const keyOf = ({ title }: CorpusPage): string => title.toLowerCase();
  const counts = new Map<string, number>();
  for (const page of pages) counts.set(keyOf(page), (counts.get(keyOf(page)) ?? 0) + 1);
  const used = new Map<string, number>();
  return pages.map((page) => {
    const key = keyOf(page);
    const at = used.get(key) ?? 0;
    used.set(key, at + 1);
    const listed = links.get(key) ?? [];
    if (page.url !== null || listed.length !== counts.get(key)) return page;
    return { ...page, url: listed[at] ?? null };
  });
}
