import { plainText } from './plain-text.ts';
import type { CorpusPage } from './split.ts';

/** Addresses that `llms.txt` lists, by lower-case title, in the order of the file. */
export type ListedLinks = ReadonlyMap<string, readonly string[]>;

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
