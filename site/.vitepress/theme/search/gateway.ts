import type { Answer, Hit } from './hit.ts';
import { plainWords } from './plain-words.ts';

/** The address without a version is valid for every installed version. */
const ADDRESS = '/v/_search';
const MOST = 8;

interface Passage {
  readonly page: string;
  readonly section: string | null;
  readonly url: string;
  readonly excerpt: string;
}

/** What the gateway's search answers, of all that it does. */
interface SearchResponse {
  readonly results: readonly Passage[];
  readonly nearest?: readonly Passage[];
  readonly note?: string;
}

/** The gateway's answer, and the pages it names where it has none. */
export interface GatewayAnswer extends Answer {
  readonly nearest: readonly Hit[];
}

/**
 * Sends a question to the gateway that serves this page.
 * @returns null if it does not answer
 * @throws AbortError if the question was cancelled
 */
export async function askGateway(question: string, signal: AbortSignal): Promise<GatewayAnswer | null> {
  const parameters = new URLSearchParams({ q: question, limit: String(MOST) });
  try {
    const response = await fetch(`${ADDRESS}?${parameters}`, { signal });
    if (!response.ok) return null;
    const { results, nearest = [], note = '' } = (await response.json()) as SearchResponse;
    return { hits: results.map(hitOf), nearest: nearest.map(hitOf), note };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

function hitOf({ page, section, url, excerpt }: Passage): Hit {
  return {
    href: url,
    titles: section === null || section === page ? [page] : [page, section],
    excerpt: plainWords(excerpt),
  };
}
