import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { FilePart } from './answer.ts';
import { markOf } from './archive/walk.ts';

/** Opens a part of a file for sending; null when it is no longer the file that was installed. */
export async function openPart({ path, mark, start, end }: FilePart): Promise<Readable | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  if (markOf(await file.stat({ bigint: true })) === mark) return file.createReadStream({ start, end });
  await file.close();
  return null;
}
