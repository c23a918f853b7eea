import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

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

/** One regular file of an archive on the disk at one moment. */
interface Entry {
  /** Path below the archive's root, with `/` between segments. */
  readonly name: string;
  /** Absolute path, every symbolic link resolved. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the content may have changed: device, inode, size and both change times. */
  readonly mark: string;
}

/**
 * Lists the regular files below a folder, sorted by name. A symbolic link is followed only where its target is inside the folder.
 * Omitted are other files, names that start with a dot, and names that are not UTF-8, which no address can contain.
 * @throws the file system's error when the folder or an entry cannot be read
 */
export async function walk(folder: string): Promise<Entry[]> {
  const root = await realpath(folder);
  const entries: Entry[] = [];
  const visit = async (directory: string, prefix: string, above: readonly string[]): Promise<void> => {
    for (const child of await readdir(directory, { withFileTypes: true, encoding: 'buffer' })) {
      const own = utf8Text(child.name);
      if (own === null || (own.startsWith('.') && own !== '.well-known')) continue;
      const path = await resolveInside(root, join(directory, own), child.isSymbolicLink());
      if (path === null) continue;
      const facts = await stat(path, { bigint: true });
      const name = prefix + own;
      if (facts.isDirectory()) {
        // A link to a folder above itself would never end.
        if (!above.includes(path)) await visit(path, `${name}/`, [...above, path]);
      } else if (facts.isFile()) {
        entries.push({ name, path, size: Number(facts.size), mark: markOf(facts) });
      }
    }
  };
  await visit(root, '', [root]);
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Identifies the state of a file when it was read. */
export function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join('.');
}

/** The real path of an entry, or null when that is outside the root or missing. */
async function resolveInside(root: string, path: string, isLink: boolean): Promise<string | null> {
  if (!isLink) return path;
  const end = await realpath(path, { encoding: 'buffer' }).then(utf8Text, () => null);
  return end !== null && end.startsWith(root + sep) ? end : null;
}

/** A name as text; null where its bytes are not UTF-8. */
function utf8Text(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/**
 * The text of a file as its tool meant it: UTF-16 with that byte order mark, as PowerShell writes redirected output; otherwise
 * UTF-8; otherwise the fallback encoding of browsers. The mark is removed.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** What one look at a folder found. */
interface Look {
  /** The folder has no unsettled changes. */
  readonly calm: boolean;
  /** Time (ms) to read the folder, without the handling of a new archive. */
  readonly took: number;
}

/**
 * Detects that a folder contains another archive. A new one is installed only when two checks in a row saw the same state, so
 * that a half-copied archive is never used; until then, and when the new one is faulty, the earlier one stays.
 * @param install called with the new archive; the next check waits for it
 * @param reject called once for each faulty state
 * @returns checks the folder once
 */
export function archiveFollower(options: {
  readonly folder: string;
  readonly fingerprint: string;
  readonly install: (archive: Archive) => Promise<void>;
  readonly reject: (fault: ArchiveFault) => void;
}): () => Promise<Look> {
  /** The state that was last installed or rejected. */
  let settled = options.fingerprint;
  let seen = settled;

  const take = async (): Promise<void> => {
    const archive = await loadArchive(options.folder);
    if ('fault' in archive) options.reject(archive);
    else {
      await options.install(archive);
      seen = archive.fingerprint;
    }
    settled = seen;
  };
  return async () => {
    const start = performance.now();
    const state = await walk(options.folder).then(fingerprintOf, (error: Error) => `unreadable: ${error.message}`);
    const took = performance.now() - start;
    if (state === settled) return { calm: true, took };
    if (state === seen) await take();
    else seen = state;
    return { calm: seen === settled, took };
  };
}

/** Shortest time between two looks at the folder, and between two looks at a folder that is changing (ms). */
const CALM = 1000;
const CHANGING = 200;
/** A check takes at most this share of the time, so that a huge archive is checked less often; more of it while it changes. */
const CALM_SHARE = 1 / 50;
const CHANGING_SHARE = 1 / 5;

/** How long (ms) to wait after a look. */
export function pauseAfter({ calm, took }: Look): number {
  return calm ? Math.max(CALM, took / CALM_SHARE) : Math.max(CHANGING, took / CHANGING_SHARE);
}

/**
 * Checks repeatedly without keeping the process alive.
 * @param fail called with the error of a check; the checks continue
 * @returns stops them
 */
export function lookRepeatedly(look: () => Promise<Look>, fail: (error: Error) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const schedule = (delay: number): void => {
    if (!stopped) timer = setTimeout(turn, delay).unref();
  };
  const turn = (): void => {
    look()
      .catch((error: Error) => {
        fail(error);
        return { calm: true, took: 0 };
      })
      .then((found) => schedule(pauseAfter(found)))
      .catch(fail);
  };
  schedule(CALM);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
