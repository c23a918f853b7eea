import type { BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Refusal, refusal } from '@gateway/contract';
import {
  type Archive,
  type ArchiveFault,
  archiveFollower,
  loadArchive,
  lookRepeatedly,
  markOf,
} from './corpus/archive.ts';
import {
  type Address,
  answerPage,
  type FilePart,
  type PageAnswer,
  type PageHeaders,
  parseTarget,
  refuse,
  refuseMethod,
} from './corpus/pages.ts';
import { answerSearch, prepareSearch, type Search } from './search/search.ts';

/** A request for a documentation address, as the socket gave it. */
export interface DocumentationRequest {
  readonly method: string;
  /** The raw request target in origin form, untouched by any URL parser. */
  readonly target: string;
  /** Lower-case names, each at most once. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Reads the body within a size limit, or returns the refusal. Only the query server uses it. */
  readonly body: (most: number) => Promise<Buffer | Refusal>;
}

/** The documentation routes `/v` and `/v/*` (documentation-1). Proofs of identity are ignored. */
export interface Documentation {
  readonly answer: (request: DocumentationRequest) => Promise<PageAnswer>;
  readonly close: () => void;
}

/** The answer under `/v` when GATEWAY_DOCS_DIR is not set: the segment stays reserved and explains how to set it. */
export function absentDocumentation(): Documentation {
  return {
    answer: ({ target }) => {
      const address = parseTarget(target);
      const question = isOnly(address, '_search') || isOnly(address, '_mcp');
      return Promise.resolve(refuse(refusal(question ? 'search-absent' : 'documentation-absent')));
    },
    close: () => {},
  };
}

/**
 * Opens the archive in a folder and watches for new ones.
 * @param folder value of GATEWAY_DOCS_DIR
 * @param warn called with one sentence when an archive installed later cannot be served; the earlier one stays
 * @returns the documentation, or the cause why the gateway must not start (refusals-26)
 */
export async function openDocumentation(
  folder: string,
  warn: (sentence: string) => void,
): Promise<Documentation | ArchiveFault> {
  const first = await loadArchive(folder);
  if ('fault' in first) return first;
  let installed: Installed = { archive: first, search: prepareSearch(first) };
  // Callers of the search receive the failure; until then the promise has no handler.
  installed.search.catch(() => {});
  const look = archiveFollower({
    folder,
    fingerprint: first.fingerprint,
    // Pages and search of a new archive appear together, so the index comes first.
    install: async (archive) => {
      const search = await prepareSearch(archive);
      installed = { archive, search: Promise.resolve(search) };
    },
    reject: ({ fault }) => warn(`${fault} Version ${installed.archive.card.version}, read earlier, is still served.`),
  });
  const stop = lookRepeatedly(look, (error) =>
    warn(`The folder of the documentation cannot be followed: ${error.message}`),
  );
  return { answer: (request) => answerFrom(installed, request), close: stop };
}

/** One archive and the search over it. */
interface Installed {
  readonly archive: Archive;
  /** Null for an archive without a corpus. Pending while the index is being built. */
  readonly search: Promise<Search | null>;
}

async function answerFrom({ archive, search }: Installed, request: DocumentationRequest): Promise<PageAnswer> {
  const { method, target, headers } = request;
  const address = parseTarget(target);
  if (isOnly(address, '_mcp')) {
    const prepared = await search;
    // Loaded by the first question: a gateway whose documentation nobody asks starts faster, and keeps less.
    const { answerQuery } = await import('./query-server.ts');
    return answerQuery(prepared && { card: archive.card, search: prepared }, request);
  }
  if (isOnly(address, '_search')) return answerSearch(await search, method, address?.query ?? '');
  if (method !== 'GET' && method !== 'HEAD') return refuseMethod();
  if (address === null) return refuse(refusal('documentation-path'));
  const { range, ...others } = headers satisfies PageHeaders;
  return answerPage(archive, address, method === 'HEAD' ? others : { ...others, range });
}

function isOnly(address: Address | null, segment: string): boolean {
  return address?.segments.length === 1 && address.segments[0] === segment;
}

/**
 * Opens a part of a file for sending; null when it is no longer the installed file. The stream fails when the file is written to
 * before its end was sent, so that no answer is mixed or truncated without an error.
 */
export async function openPart(part: FilePart): Promise<Readable | null> {
  const file = await open(part.path).catch(() => null);
  if (file === null) return null;
  const facts = await file.stat({ bigint: true });
  if (markOf(facts) !== part.mark) {
    await file.close();
    return null;
  }
  const stream = Readable.from(chunksOf(file, part, facts), { objectMode: false });
  // Also where nothing was read of it.
  stream.once('close', () => {
    file.close().catch(() => {});
  });
  return stream;
}

async function* chunksOf(
  file: FileHandle,
  { path, start, end }: FilePart,
  before: BigIntStats,
): AsyncGenerator<Buffer> {
  let last: Buffer | null = null;
  for await (const chunk of file.createReadStream({ start, end, autoClose: false })) {
    if (last !== null) yield last;
    last = chunk as Buffer;
  }
  // Replacing a file by rename leaves its content unchanged; its other attributes still change.
  const { size, mtimeNs } = await file.stat({ bigint: true });
  if (size !== before.size || mtimeNs !== before.mtimeNs) throw new Error(`${path} was written to while it was sent`);
  if (last !== null) yield last;
}

export type { ArchiveFault } from './corpus/archive.ts';
export { type FilePart, type PageAnswer, refuse } from './corpus/pages.ts';
