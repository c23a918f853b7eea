import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { errorCode } from '@gateway/contract/error-code';
import { CommandFailed } from '../context/fault.ts';

/** Characters that are written at once. */
const PIECE = 1 << 20;

/** Writes a file as a whole: where the pieces or the disk fail, there is none, and an older one stays. */
export async function writeWhole(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const beside = `${path}.${randomUUID()}.writing`;
  const fail = (error: unknown): never => {
    throw new CommandFailed(`${path} cannot be written (${errorCode(error)}).`);
  };
  const file = await open(beside, 'wx', 0o644).catch(fail);
  try {
    let waiting = '';
    for await (const piece of pieces) {
      waiting += piece;
      if (waiting.length < PIECE) continue;
      await file.write(waiting).catch(fail);
      waiting = '';
    }
    await file.write(waiting).catch(fail);
    await file.sync().catch(fail);
    await file.close();
    await rename(beside, path).catch(fail);
  } catch (error) {
    await file.close().catch(() => {}); // closed before
    rmSync(beside, { force: true });
    throw error;
  }
}
