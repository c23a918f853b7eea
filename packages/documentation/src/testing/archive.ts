import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Archive, ArchiveFile } from '../corpus/archive.ts';

/** A documentation archive in a temporary folder. */
export interface TestArchive {
  /** Temporary folder with the archive and the files beside it. */
  readonly root: string;
  readonly folder: string;
  readonly write: (files: Files) => void;
  readonly remove: () => void;
}

/** Content by path below the archive's root; null removes the file. */
export type Files = Readonly<Record<string, string | Buffer | null>>;

/** Identity card of a version. */
export function cardOf(version: string): string {
  return JSON.stringify({ version, path: `/v/${version}` });
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    if (content === null) {
      rmSync(path, { force: true });
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** Writes an archive of version 1.0.0 with a card, an index page and the given files. */
export function writeArchive(files: Files = {}): TestArchive {
  const root = mkdtempSync(join(tmpdir(), 'documentation-'));
  const folder = join(root, 'archive');
  const write = (more: Files): void => writeFiles(folder, more);
  write({ 'archive.json': cardOf('1.0.0'), 'index.html': '<h1>Home</h1>', ...files });
  return { root, folder, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** The same, removed when the running test ends. */
export function testArchive(files: Files = {}): TestArchive {
  const archive = writeArchive(files);
  onTestFinished(archive.remove);
  return archive;
}

/** An archive of version 1.0.0 in memory, as if it had been read from a folder. */
export function archiveInMemory(files: Readonly<Record<string, string | Buffer>>): Archive {
  const all = { 'archive.json': cardOf('1.0.0'), ...files };
  const entries = Object.entries(all).map(([name, content]): [string, ArchiveFile] => {
    const bytes = Buffer.from(content);
    return [name, { name, path: `/nowhere/${name}`, size: bytes.length, mark: name, etag: `"${name}"`, bytes }];
  });
  return { card: { version: '1.0.0', path: '/v/1.0.0' }, files: new Map(entries), fingerprint: '' };
}
