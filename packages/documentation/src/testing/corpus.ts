import { atOnce } from '../corpus/sliced.ts';
import { splitCorpus } from '../corpus/split.ts';
import { buildIndex, type SearchIndex } from '../search/build-index.ts';

/** Body of a page by its title; the address is made of the title. */
export type Pages = Readonly<Record<string, string>>;

/** A corpus in the form that Fumadocs writes. */
export function corpusOf(pages: Pages): string {
  return Object.entries(pages)
    .map(([title, body]) => `# ${title} (/${title.toLowerCase().replaceAll(' ', '-')})\n\n${body}`)
    .join('\n\n');
}

export function indexOf(pages: Pages): SearchIndex {
  return atOnce(buildIndex(atOnce(splitCorpus(corpusOf(pages)))));
}

/** Pages about other subjects, so that rarity distinguishes the words of the tested ones. */
export const FILLER: Pages = Object.fromEntries(
  Array.from({ length: 20 }, (_, number) => [
    `Setting ${number}`,
    `This setting number ${number} of the service says how fast queue ${number} drains.\n\n## Default of ${number}\n\nIt starts at ${number} items.`,
  ]),
);
