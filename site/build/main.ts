import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'vitepress';
import { writeArchiveFiles } from './archive.ts';
import { precompress } from './precompress.ts';
import { configurationPage, refusalsPage } from './references.ts';

/**
 * `npm run build:manual`: the manual as a documentation archive in `dist/manual`. `--when-changed` keeps one made from the same
 * pages and tables.
 */
const SITE = join(import.meta.dirname, '..');
const OUT = join(SITE, '..', 'dist', 'manual');

const references = { 'reference/configuration.md': configurationPage(), 'reference/refusals.md': refusalsPage() };

async function digest(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(references));
  const files: string[] = [];
  for await (const file of glob(['site/{pages,build,.vitepress}/**/*.{md,ts,css,svg}', 'package.json'], {
    cwd: join(SITE, '..'),
  })) {
    files.push(file);
  }
  const sources = files.filter((file) => !Object.keys(references).some((name) => file.endsWith(name)));
  for (const file of sources.sort()) hash.update(`\0${file}\0`).update(await readFile(join(SITE, '..', file)));
  return hash.digest('hex');
}

const mark = `${OUT}.sources`;

async function isCurrent(now: string): Promise<boolean> {
  return existsSync(OUT) && existsSync(mark) && (await readFile(mark, 'utf8')) === now;
}

async function buildManual(now: string): Promise<void> {
  process.stderr.write('Building dist/manual …\n');
  // Built aside and moved: a build that is cut short leaves no half archive.
  const aside = `${OUT}.${process.pid}`;
  await mkdir(join(SITE, 'pages', 'reference'), { recursive: true });
  for (const [name, text] of Object.entries(references)) await writeFile(join(SITE, 'pages', name), `${text}\n`);
  await build(SITE, { outDir: aside });
  const { version } = JSON.parse(await readFile(join(SITE, '..', 'package.json'), 'utf8')) as { version: string };
  await writeArchiveFiles(join(SITE, 'pages'), aside, version);
  await precompress(aside);
  await rm(OUT, { recursive: true, force: true });
  await rename(aside, OUT);
  await writeFile(mark, now);
}

/** One build at a time: the generator works in a folder beside the pages. */
async function alone(work: () => Promise<void>): Promise<void> {
  const lock = `${OUT}.lock`;
  await mkdir(join(OUT, '..'), { recursive: true });
  for (let tries = 0; ; tries += 1) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // A build takes seconds; a lock that stays was left behind by one that was killed.
      if (tries > MOST_TRIES) await rm(lock, { recursive: true, force: true });
      await wait(PAUSE);
    }
  }
  try {
    await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

const MOST_TRIES = 600;
const PAUSE = 200;

await alone(async () => {
  const now = await digest();
  if (process.argv.includes('--when-changed') && (await isCurrent(now))) return;
  await buildManual(now);
});
