import type { BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { markOf } from './archive/walk.ts';
import type { FilePart } from './pages/answer.ts';

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
