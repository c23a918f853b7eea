import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../process/environment.ts';
import type { Project } from '../project/project.ts';
import type { FileFacts } from './facts/facts.ts';
import { createProjectIndex, type ProjectIndex } from './facts/project-index.ts';
import { cachePath, readCache, writeCache } from './facts-cache.ts';
import { type Graph, type Level } from './graph/graph.ts';
import { graphAt, type Imports } from './graph/levels.ts';
import { languageById } from './languages/index.ts';
import { readFacts } from './read-facts.ts';
import { listSourceFiles, type SourceFile } from './source-files.ts';

/** The sources of a project and what they import of each other. */
export interface CodeMap {
  readonly facts: ReadonlyMap<string, FileFacts>;
  /** By file, the files it imports. */
  readonly imports: Imports;
  readonly index: ProjectIndex;
  /** Paths of sources that were left out for their size. */
  readonly tooLarge: readonly string[];
  graph(level: Level): Graph;
}

/**
 * Reads the sources of a project. Nothing is written into it; the results are cached below the home directory.
 * @param withUses whether the map is used for symbols: finding their uses takes time
 */
export async function readCodeMap(
  project: Project,
  environment: Environment,
  now: Date,
  withUses: boolean,
): Promise<CodeMap> {
  const { sources, manifests, tooLarge } = await listSourceFiles(project, environment);
  const facts = await factsOf(project.directory, sources, environment.homeDirectory, now, withUses);
  const index = createProjectIndex(facts.keys(), facts, await textsOf(project.directory, manifests));
  const imports = importsOf(facts, index);
  return { facts, imports, index, tooLarge, graph: (level) => graphAt(level, facts, imports, index) };
}

async function factsOf(
  root: string,
  sources: readonly SourceFile[],
  homeDirectory: string | null,
  now: Date,
  withUses: boolean,
): Promise<ReadonlyMap<string, FileFacts>> {
  const path = cachePath(homeDirectory, root);
  const cache = await readCache(path);
  const facts = new Map<string, FileFacts>();
  const unread: string[] = [];
  for (const file of sources) {
    const known = cache.get(file, withUses);
    if (known === null) unread.push(file.path);
    else facts.set(file.path, known);
  }
  for (const [name, read] of await readFacts(root, unread, withUses)) facts.set(name, read);
  if (unread.length > 0) await writeCache(path, now.getTime(), sources, facts);
  return facts;
}

async function textsOf(root: string, files: readonly SourceFile[]): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(
    files.map(async ({ path }) => [path, await readFile(join(root, path), 'utf8').catch(() => '')] as const),
  );
  return new Map(texts);
}

function importsOf(facts: ReadonlyMap<string, FileFacts>, index: ProjectIndex): Imports {
  const imports = new Map<string, ReadonlySet<string>>();
  for (const [path, own] of facts) {
    const targets = new Set(languageById(own.language)?.resolve(path, own, index));
    targets.delete(path);
    imports.set(path, targets);
  }
  return imports;
}
