import type { Answer } from './hit.ts';
import { plainWords } from './plain-words.ts';

/** The address without a version stays right whatever is installed. */
const ADDRESS = '/v/_search';
const MOST = 8;

/** What the gateway's search answers, of all that it does. */
interface SearchResponse {
  readonly results: readonly {
    readonly page: string;
    readonly section: string | null;
    readonly url: string;
    readonly excerpt: string;
  }[];
  readonly note?: string;
}

/**
 * Asks the search of the gateway that serves this page.
 * @returns null where it does not answer
 * @throws AbortError when the question was given up
 */
export async function askGateway(question: string, signal: AbortSignal): Promise<Answer | null> {
  const parameters = new URLSearchParams({ q: question, limit: String(MOST) });
  try {
    const response = await fetch(`${ADDRESS}?${parameters}`, { signal });
    if (!response.ok) return null;
    const { results, note = '' } = (await response.json()) as SearchResponse;
    const hits = results.map(({ page, section, url, excerpt }) => ({
      href: url,
      titles: section === null || section === page ? [page] : [page, section],
      excerpt: plainWords(excerpt),
    }));
    return { hits, note };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
