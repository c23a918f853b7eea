import MiniSearch from 'minisearch';
import type { Hit } from './hit.ts';

/** How the site generator stores a heading. */
export interface Heading {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
}

const OPTIONS = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] };
const MOST = 8;

let loading: Promise<MiniSearch> | null = null;

/** The sections that contain every word of a question; the last word may be incomplete. */
export async function wordsBegunIn(question: string): Promise<readonly Hit[]> {
  loading ??= load();
  return hitsIn(await loading, question);
}

/** Loaded when it is first needed: the index is as large as all pages together. */
async function load(): Promise<MiniSearch> {
  const { default: languages } = await import('@localSearchIndex');
  return MiniSearch.loadJSON((await languages.root()).default, OPTIONS);
}

export function hitsIn(index: MiniSearch, question: string): readonly Hit[] {
  const found = index.search(question, {
    combineWith: 'AND',
    prefix: (_, at, words) => at === words.length - 1,
    boost: { title: 4, titles: 2 },
  });
  return found.slice(0, MOST).map((result) => {
    const { id, title, titles } = result as unknown as Heading;
    return { href: id, titles: [...titles, title].map(unescaped), excerpt: '' };
  });
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The generator stores titles as in the page's HTML. */
function unescaped(html: string): string {
  return html.replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => CHARACTERS[name] ?? '');
}
