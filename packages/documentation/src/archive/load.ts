import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { decodeUtf8, type Entry, walk } from './walk.ts';

/** One file of an installed archive. */
export interface ArchiveFile extends Entry {
  /** Strong entity tag over the content, quotes included. */
  readonly etag: string;
  /** The content, or null for a file that did not fit in memory and is read from the disk on demand. */
  readonly bytes: Buffer | null;
}

/** An archive at one moment. Later changes to the folder do not affect it. */
export interface Archive {
  readonly card: IdentityCard;
  readonly files: ReadonlyMap<string, ArchiveFile>;
  readonly fingerprint: string;
}

/** Why a folder cannot be served: one sentence that names the folder or file (refusals-26). */
export interface ArchiveFault {
  readonly fault: string;
}

/** Bytes of files cached in memory; the largest files beyond it stay on the disk. */
const HELD_BYTES = 64 * 1024 * 1024;
/** How often, and after how long (ms), an archive that changed while it was read is read again. */
const ATTEMPTS = 20;
const PAUSE = 250;

/**
 * Reads a whole archive. An archive that changes during the read is read again, so that two versions are never mixed.
 * @param folder value of GATEWAY_DOCS_DIR
 */
export async function loadArchive(folder: string): Promise<Archive | ArchiveFault> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await wait(PAUSE);
    try {
      const before = await walk(folder);
      const files = await readAll(before);
      const fingerprint = fingerprintOf(before);
      if (fingerprintOf(await walk(folder)) !== fingerprint) continue;
      const card = readCard(folder, files);
      return 'fault' in card ? card : { card, files, fingerprint };
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException;
      // A file that vanished between listing and reading belongs to an archive in motion; the folder itself does not.
      if (code === 'ENOENT' && path !== folder) continue;
      return { fault: unreadable(folder, error as NodeJS.ErrnoException) };
    }
  }
  return { fault: `the content of ${folder} keeps changing while it is read.` };
}

/** One text for the state of all files: equal until one is added, removed or written to. */
export function fingerprintOf(entries: readonly Entry[]): string {
  const hash = createHash('sha256');
  for (const { name, mark } of entries) hash.update(`${name}\0${mark}\n`);
  return hash.digest('base64url');
}

/** Files for the search and the card first, then the smallest files. */
function rank({ name, size }: Entry): number {
  return ['archive.json', 'llms.txt', 'llms-full.txt'].includes(name) ? 0 : size;
}

async function readAll(entries: readonly Entry[]): Promise<Map<string, ArchiveFile>> {
  let held = 0;
  const files = new Map<string, ArchiveFile>();
  for (const entry of [...entries].sort((one, other) => rank(one) - rank(other))) {
    held += entry.size;
    const bytes = held <= HELD_BYTES ? await readFile(entry.path) : null;
    const etag = `"${createHash('sha256')
      .update(bytes ?? entry.mark)
      .digest('base64url')}"`;
    files.set(entry.name, { ...entry, etag, bytes });
  }
  return files;
}

function readCard(folder: string, files: ReadonlyMap<string, ArchiveFile>): IdentityCard | ArchiveFault {
  const file = join(folder, 'archive.json');
  const card = files.get('archive.json')?.bytes;
  if (!card) return { fault: `${file} is missing, and every unpacked documentation archive has one.` };
  return parseIdentityCard(decodeUtf8(card), file);
}

function unreadable(folder: string, { code, path = folder, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `${folder} does not exist.`;
  if (code === 'ENOTDIR') return `${folder} is not a folder.`;
  if (code === 'EACCES' || code === 'EPERM') return `${path} may not be read by this process.`;
  return `${folder} cannot be read: ${message}.`;
}

/** An archive's description of itself in `archive.json` (documentation-5). */
export interface IdentityCard {
  /** Semantic version, for example `1.0.0`. */
  readonly version: string;
  /** Path under which the gateway serves the archive: always `/v/<version>`. */
  readonly path: string;
}

const SEMANTIC_VERSION =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * Reads an identity card.
 * @param text content of `archive.json`
 * @param file its path, named in the fault
 * @returns the card, or one sentence about its fault (refusals-26)
 */
export function parseIdentityCard(text: string, file: string): IdentityCard | { readonly fault: string } {
  let card: unknown;
  try {
    card = JSON.parse(text.replace(/^\ufeff/, '')); // the mark that some editors put before a text
  } catch {
    return { fault: `${file} is not JSON.` };
  }
  if (typeof card !== 'object' || card === null) return { fault: `${file} is not a JSON object.` };
  const { version, path } = card as Record<string, unknown>;
  if (typeof version !== 'string' || version === '') return { fault: `${file} declares no version.` };
  if (!SEMANTIC_VERSION.test(version)) {
    return { fault: `${file} declares the version ${JSON.stringify(version)}, which is not a semantic version.` };
  }
  if (typeof path !== 'string' || path === '') return { fault: `${file} declares no path.` };
  if (path !== `/v/${version}`) {
    return {
      fault: `${file} declares the path ${JSON.stringify(path)}, which is not served: version ${version} is served at /v/${version}.`,
    };
  }
  return { version, path };
}
