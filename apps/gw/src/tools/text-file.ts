import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import { type EditorFiles, type FileLedger, ToolFailed } from '../agent/types/index.ts';
import { FILE_BYTES } from './jobs.ts';

/** A message of the editor's protocol must contain the text; larger files are read and written on the disk. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * The file as the editor shows it, with unsaved changes. A file with a byte order mark is used from the disk: editors hide the
 * mark, so it would be lost.
 */
async function fromEditor(file: TextFile, path: string, editor: EditorFiles | undefined): Promise<TextFile> {
  if (editor === undefined || file.byteOrderMark || file.text.length > MOST_CHARACTERS) return file;
  const shown = await editor.read(path);
  if (shown === null) return file;
  // Editors may show Windows line ends as plain ones.
  const text = file.text.includes('\r\n') && !shown.includes('\r\n') ? shown.replaceAll('\n', '\r\n') : shown;
  return text === file.text ? file : { bytes: Buffer.from(text), text, byteOrderMark: false };
}

/** False where the editor is not to write the file, or does not take it. */
async function toEditor(
  { text, byteOrderMark }: Pick<TextFile, 'text' | 'byteOrderMark'>,
  path: string,
  editor: EditorFiles | undefined,
): Promise<boolean> {
  if (editor === undefined || byteOrderMark || text.length > MOST_CHARACTERS) return false;
  return editor.write(path, text);
}

const MARK = '\ufeff';

/** Reads a UTF-8 text, from the editor where it has one. `shown` names it in messages. */
export async function readTextFile(path: string, shown: string, editor?: EditorFiles): Promise<TextFile> {
  const file = await readTextFileIfAny(path, shown, editor);
  if (file === null) throw new ToolFailed(`${shown} does not exist. List shows what there is.`);
  return file;
}

/** The same, or null where there is no such file. */
export async function readTextFileIfAny(path: string, shown: string, editor?: EditorFiles): Promise<TextFile | null> {
  const bytes = await readBytes(path, shown);
  return bytes === null ? null : fromEditor(decode(bytes, shown), path, editor);
}

function decode(bytes: Uint8Array, shown: string): TextFile {
  if (bytes.includes(0)) throw new ToolFailed(`${shown} is not a text file (${bytes.length} bytes).`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolFailed(`${shown} is not UTF-8 text (${bytes.length} bytes). Use Bash to convert or inspect it.`);
  }
  return { bytes, ...withoutMark(text) };
}

export function withoutMark(text: string): Pick<TextFile, 'text' | 'byteOrderMark'> {
  const byteOrderMark = text.startsWith(MARK);
  return { text: byteOrderMark ? text.slice(MARK.length) : text, byteOrderMark };
}

async function readBytes(path: string, shown: string): Promise<Uint8Array | null> {
  try {
    // O_NONBLOCK: opening a pipe would otherwise block.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await file.stat();
      if (stat.isDirectory()) throw new ToolFailed(`${shown} is a directory. List shows what is in it.`);
      if (!stat.isFile()) throw new ToolFailed(`${shown} is not a regular file.`);
      if (stat.size > FILE_BYTES)
        throw new ToolFailed(
          `${shown} has ${stat.size} bytes, more than Read takes (${FILE_BYTES}). Use Search, or Bash with head or sed.`,
        );
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof ToolFailed) throw error;
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new ToolFailed(`${shown} cannot be read: ${whyNot(code)}`);
  }
}

/**
 * Writes a text, with the folders it needs; the bytes are returned. An existing file keeps its rights, and its content where the
 * disk does not take the new one.
 * @param old the file that is replaced; null where there is none.
 */
export async function writeTextFile(
  path: string,
  shown: string,
  file: Pick<TextFile, 'text' | 'byteOrderMark'>,
  old: TextFile | null,
  editor?: EditorFiles,
): Promise<Uint8Array> {
  const bytes = Buffer.from(file.byteOrderMark ? MARK + file.text : file.text);
  if (await toEditor(file, path, editor)) return bytes;
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceContent(path, bytes, old);
  } catch (error) {
    throw new ToolFailed(`${shown} cannot be written: ${whyNot(errorCode(error))}`);
  }
  return bytes;
}

async function replaceContent(path: string, bytes: Uint8Array, old: TextFile | null): Promise<void> {
  try {
    await writeFile(path, bytes);
  } catch (error) {
    // A part of the new content may have replaced the old one. If that cannot be put back, /undo has it.
    if (old !== null) await writeFile(path, old.bytes).catch(() => {});
    else if (/^(?:ENOSPC|EDQUOT|EFBIG)$/.test(errorCode(error))) await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied.',
  EPERM: 'permission denied.',
  EROFS: 'the file system is read-only.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'the disk quota is used up.',
  EFBIG: 'it would be too large for this system.',
  EISDIR: 'it is a directory.',
  ENOTDIR: 'a file is in the place of a directory.',
  EEXIST: 'a file is in the place of a directory.',
  ENAMETOOLONG: 'the name is too long.',
  ELOOP: 'its symbolic links form a loop.',
};
function whyNot(code: string): string {
  return REASONS[code] ?? `the system refuses it (${code || 'unknown'}).`;
}

/** The exact text of a file. */
export interface TextFile {
  readonly bytes: Uint8Array;
  /** Without the byte-order mark. */
  readonly text: string;
  readonly byteOrderMark: boolean;
}

/** What the model knows of files, for the time of a session. */
export function createFileLedger(): FileLedger {
  const digests = new Map<string, string>();
  return {
    note(path, content) {
      digests.set(path, digestOf(content));
    },
    digestOf: (path) => digests.get(path) ?? null,
  };
}
