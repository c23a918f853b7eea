import { glob, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Compressing smaller files does not save a packet. */
const LEAST = 1024;

/** Writes `.br` and `.gz` beside every text of an archive that gains by it: the gateway serves whichever a browser takes. */
export async function precompress(folder: string): Promise<void> {
  const names: string[] = [];
  for await (const name of glob('**/*.{html,js,css,json,txt,md,svg}', { cwd: folder })) {
    if (name !== 'archive.json' && (await stat(join(folder, name))).size >= LEAST) names.push(name);
  }
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(path);
      const forms = [
        ['.br', await promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } })],
        ['.gz', await promisify(gzip)(text, { level: 9 })],
      ] as const;
      for (const [extension, bytes] of forms) {
        if (bytes.length < text.length) await writeFile(path + extension, bytes);
      }
    }),
  );
}
