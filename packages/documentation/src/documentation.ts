import { refusal } from '@gateway/contract';
import { type Answer, refuse } from './answer.ts';
import { archiveFollower, lookRepeatedly } from './archive/follow.ts';
import { type Archive, type ArchiveFault, loadArchive } from './archive/load.ts';
import { answerPage, type PageHeaders, refuseMethod } from './pages/pages.ts';
import { parseTarget } from './pages/target.ts';

/** A request for a documentation address, as the socket gave it. */
export interface DocumentationRequest {
  readonly method: string;
  /** The raw request target in origin form, untouched by any URL parser. */
  readonly target: string;
  /** Lower-case names, each at most once. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Reads the body, or says that it is longer than `most` bytes. Only the query server asks for it. */
  readonly body: (most: number) => Promise<Buffer | 'too-large'>;
}

/** The documentation routes `/v` and `/v/*` (specification, Offline documentation). No proof of identity is looked at. */
export interface Documentation {
  readonly answer: (request: DocumentationRequest) => Promise<Answer>;
  readonly close: () => void;
}

/** What stands under `/v` when GATEWAY_DOCS_DIR is not set: the segment stays reserved and says how to fill it. */
export function absentDocumentation(): Documentation {
  return {
    answer: ({ target }) => {
      const asked = parseTarget(target)?.segments;
      const question = asked?.length === 1 && (asked[0] === '_search' || asked[0] === '_mcp');
      return Promise.resolve(refuse(refusal(question ? 'search-absent' : 'documentation-absent')));
    },
    close: () => {},
  };
}

/**
 * Opens the archive in a folder and follows what is installed there.
 * @param folder value of GATEWAY_DOCS_DIR
 * @param warn told one sentence when an archive installed later cannot be served; the earlier one stays
 * @returns the documentation, or why the gateway must not start (specification, start-up refusal 7)
 */
export async function openDocumentation(
  folder: string,
  warn: (sentence: string) => void,
): Promise<Documentation | ArchiveFault> {
  const first = await loadArchive(folder);
  if ('fault' in first) return first;
  let archive: Archive = first;
  const look = archiveFollower({
    folder,
    fingerprint: first.fingerprint,
    install: async (next) => {
      archive = next;
    },
    reject: ({ fault }) => warn(`${fault} Version ${archive.card.version}, read earlier, is still served.`),
  });
  const stop = lookRepeatedly(look, (error) =>
    warn(`The folder of the documentation cannot be followed: ${error.message}`),
  );
  return { answer: async (request) => answerFrom(archive, request), close: stop };
}

function answerFrom(archive: Archive, { method, target, headers }: DocumentationRequest): Answer {
  if (method !== 'GET' && method !== 'HEAD') return refuseMethod();
  const address = parseTarget(target);
  if (address === null) return refuse(refusal('documentation-path'));
  const { range, ...others } = headers satisfies PageHeaders;
  return answerPage(archive, address, method === 'HEAD' ? others : { ...others, range });
}
