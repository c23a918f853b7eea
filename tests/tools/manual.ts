import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGES = fileURLToPath(new URL('../../site/pages/tools/', import.meta.url));

/** Files on a page for its reader to write below the home directory, by their path there. */
export interface Shown {
  readonly files: Readonly<Record<string, string>>;
  /** Functions for the start file of a shell; empty where the page has none. */
  readonly functions: string;
  /** The version that the page says was tested. */
  readonly tested: string | undefined;
  /** Refusals, each with what the tool shows. */
  readonly refusals: readonly (readonly [title: string, shows: string])[];
}

const isFunction = (text: string): boolean => /^\w+\(\) \{/.test(text);

/** Reads the fences of a page. The file that a fence belongs to is the last one named before it. */
export function shownBy(page: string): Shown {
  const text = readFileSync(`${PAGES}${page}.md`, 'utf8');
  const files: Record<string, string> = {};
  let functions = '';
  let end = 0;
  for (const fence of text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)) {
    const [whole, body = ''] = fence;
    const before = text.slice(end, fence.index);
    end = fence.index + whole.length;
    const file = [...before.matchAll(/`~\/([^`]+)`/g)].at(-1)?.[1];
    if (isFunction(body)) functions += body;
    else if (file !== undefined) files[file] = body;
  }
  const rows = [...text.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\| \d+ +\|$/gm)];
  const refusals = rows.map(([, title = '', shows = '']) => [title, shows] as const);
  return { files, functions, refusals, tested: /was tested with version (\d[\w.-]*\w)/.exec(text)?.[1] };
}
