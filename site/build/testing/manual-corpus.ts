import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atOnce, createEngine, type Engine } from '@gateway/documentation/engine';
import { writeArchiveFiles } from '../archive.ts';
import { configurationPage, refusalsPage } from '../references.ts';

/** The corpus of the manual as the build writes it, without the HTML pages, and the search over it. */
export interface ManualCorpus {
  readonly engine: Engine;
  /** Text of a file of the archive. */
  readonly read: (name: string) => string;
  /** Paths of the pages that a question finds, best first, each once. */
  readonly pagesFor: (question: string) => readonly string[];
  readonly remove: () => void;
}

const VERSION = '1.0.0';

export async function buildManualCorpus(): Promise<ManualCorpus> {
  const folder = mkdtempSync(join(tmpdir(), 'manual-'));
  cpSync(join(import.meta.dirname, '../../pages'), join(folder, 'pages'), { recursive: true });
  mkdirSync(join(folder, 'pages/reference'), { recursive: true });
  mkdirSync(join(folder, 'out'));
  writeFileSync(join(folder, 'pages/reference/configuration.md'), configurationPage());
  writeFileSync(join(folder, 'pages/reference/refusals.md'), refusalsPage());
  await writeArchiveFiles(join(folder, 'pages'), join(folder, 'out'), VERSION);
  const read = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8');
  const engine = atOnce(createEngine(read('llms-full.txt'), read('llms.txt')));
  const pageOf = (passage: number): string =>
    engine.index.pages[engine.index.passages[passage]?.page ?? 0]?.url
      ?.replace(`/v/${VERSION}/`, '')
      .replace(/\.md$/, '') ?? '';
  return {
    engine,
    read,
    pagesFor: (question) => [...new Set(engine.ask(question, 20).ranked.map(({ passage }) => pageOf(passage)))],
    remove: () => rmSync(folder, { recursive: true }),
  };
}
