import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import type { Profile } from './sources.ts';

const COMPRESSED = /\.(html|css|js|svg)$/;

/** Builds the console's pages of one profile into `folder`, each text file beside its gzip and brotli forms. */
export async function buildPages(profile: Profile, folder: string): Promise<void> {
  // Another NODE_ENV, of a test runner or a shell, would put development code into the artifact, where it does not run.
  process.env['NODE_ENV'] = 'production';
  await build({
    configFile: 'apps/console/vite.config.ts',
    root: 'apps/console/src/web',
    mode: profile,
    logLevel: 'warn',
    build: { outDir: resolve(folder) },
  });
  for (const name of (await readdir(folder, { recursive: true })).filter((file) => COMPRESSED.test(file))) {
    const bytes = await readFile(join(folder, name));
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
    const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, best));
  }
}
