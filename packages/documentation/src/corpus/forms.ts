import { plainText } from './plain-text.ts';

/** Where a page of a corpus begins. */
export interface PageHead {
  readonly title: string | null;
  /** Address in the corpus: absolute, or a path; null in forms without addresses. */
  readonly url: string | null;
  /** Index of the first line of the page's own text. */
  readonly body: number;
  /** Other words for the page's subject, which its text lacks; only in front matter. */
  readonly keywords?: string;
}

/** One way in which generators write `llms-full.txt`. */
export interface Form {
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
        const keywords = values.get('keywords');
        const head = { title: title ? plainText(title) : null, url: url ?? null, body: index + 1 };
        return keywords ? { ...head, keywords } : head;
      }
      const pair = /^([\w-]+):\s*(.*)$/.exec(line);
      if (pair?.[1]) values.set(pair[1].toLowerCase(), unquote(pair[2] ?? ''));
      // Values continue over several lines only when those are indented or list items.
      else if (line !== '' && !/^[\s-]/.test(line)) return null;
    }
    return null;
  },
};

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
