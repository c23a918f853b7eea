import { resolve } from 'node:path';
import type { ContentPart } from '../../agent/types/index.ts';
import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';

/** The pictures of `--image`. Throws `WrongUsage` naming the file that is none. */
export async function readImages(context: Context, files: readonly string[]): Promise<readonly ContentPart[]> {
  if (files.length === 0) return [];
  const { pictureOf } = await import('../../files/picture.ts');
  return Promise.all(
    files.map(async (file) => {
      const read = await pictureOf(resolve(context.environment.workingDirectory ?? '/', file));
      if ('fault' in read) throw new WrongUsage(`--image ${file}: ${read.fault}`);
      return { type: 'image' as const, url: read.url };
    }),
  );
}
