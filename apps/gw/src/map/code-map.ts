import { createHash } from 'node:crypto';
import { lstat, mkdir, opendir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Project } from '../files/project.ts';
import { askGit, findProgram } from '../process/ask-git.ts';
import type { Environment } from '../process/environment.ts';
import { VERSION } from '../process/product.ts';
import { readFacts } from './extract.ts';
import type { Graph, Level } from './graph.ts';
import { LANGUAGES, languageById, languageOf } from './languages/index.ts';
import { createProjectIndex, type FileFacts, type ProjectIndex } from './languages/project-index.ts';
import { graphAt, type Imports } from './levels.ts';

/** A file of the project, with the stamp that shows a change since the last run. */
interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

interface SourceFiles {
  /** Files of a language that the map knows. */
  readonly sources: readonly SourceFile[];
  /** Files that imports are resolved with: `package.json`, `go.mod` and the like. */
  readonly manifests: readonly SourceFile[];
  /** Paths of sources that are too large to have been written by hand. */
  readonly tooLarge: readonly string[];
}

const MANIFEST =
  /(^|\/)(package\.json|[jt]sconfig[^/]*\.json|go\.mod|Cargo\.toml|pyproject\.toml|setup\.(py|cfg)|pom\.xml|build\.gradle(\.kts)?|composer\.json|Gemfile)$/;
/** Packages of others, which not every project remembers to have git ignore. */
const INSTALLED = /(^|\/)node_modules\//;
const MAX_SOURCE_BYTES = 1024 * 1024;
/** Room for the names of about a million files. */
const MAX_LIST_BYTES = 128 * 1024 * 1024;
/** Directories that are left out where no git says what belongs to the project. */
const LEFT_OUT = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', '__pycache__', 'venv']);
const MAX_PARALLEL_STATS = 64;

/** The files of a project that git does not ignore; without git, all but hidden directories and those of packages. */
export async function listSourceFiles(project: Project, environment: Environment): Promise<SourceFiles> {
  const names = (await listWithGit(project, environment)) ?? (await walk(project.directory));
  const wanted = names.filter(
    (path) => !INSTALLED.test(path) && (MANIFEST.test(path) || languageOf(path) !== undefined),
  );
  const files = await measure(project.directory, wanted);
  const isSource = ({ path }: SourceFile) => languageOf(path) !== undefined;
  return {
    sources: files.filter((file) => isSource(file) && file.bytes <= MAX_SOURCE_BYTES),
    manifests: files.filter(({ path, bytes }) => MANIFEST.test(path) && bytes <= MAX_SOURCE_BYTES),
    tooLarge: files.filter((file) => isSource(file) && file.bytes > MAX_SOURCE_BYTES).map(({ path }) => path),
  };
}

async function listWithGit(project: Project, environment: Environment): Promise<readonly string[] | null> {
  const git = project.repository && !project.foreign ? await findProgram('git', environment) : null;
  if (git === null) return null;
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const options = { directory: project.directory, maxBytes: MAX_LIST_BYTES };
  const { code, output, cut } = await askGit(git, args, environment, options);
  return code === 0 && !cut ? output.split('\0').filter((path) => path !== '') : null;
}

async function walk(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const directories = ['.'];
  for (const directory of directories) {
    const entries = await opendir(join(root, directory)).catch(() => null);
    if (entries === null) continue;
    for await (const entry of entries) {
      const path = posix.join(directory, entry.name);
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory() && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name)) directories.push(path);
    }
  }
  return found;
}

/** Regular files alone: a link's target is listed by itself where it belongs to the project. */
async function measure(root: string, paths: readonly string[]): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  const queue = paths.values();
  const one = async (): Promise<void> => {
    for (const path of queue) {
      const stats = await lstat(join(root, path)).catch(() => null);
      if (stats?.isFile()) files.push({ path, bytes: stats.size, modifiedMs: stats.mtimeMs });
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL_STATS }, one));
  return files.toSorted((one_, other) => (one_.path < other.path ? -1 : 1));
}

/** Results of earlier runs, stored below the user's `.gateway/cache`, never in the project. */
interface FactsCache {
  /** Null where the file was not read yet, changed since, or was read without the uses that are wanted now. */
  get(file: SourceFile, withUses: boolean): FileFacts | null;
}

type Kept = readonly [bytes: number, modifiedMs: number, facts: FileFacts];

/** A file that changes twice within the resolution of its time stamp looks unchanged; what is this young is read again. */
const RACY_MS = 2000;
const FORMAT = createHash('sha256')
  .update(JSON.stringify([VERSION, 4, LANGUAGES.map(({ id, query }) => [id, query])]))
  .digest('hex');

/** The cache file of a project; null where the user has no home directory. */
export function cachePath(homeDirectory: string | null, project: string): string | null {
  const name = createHash('sha256').update(project).digest('hex').slice(0, 32);
  return homeDirectory === null ? null : join(homeDirectory, '.gateway', 'cache', 'map', `${name}.json`);
}

/** An absent, damaged or older cache is an empty one: it costs time, never correctness. */
async function readCache(path: string | null): Promise<FactsCache> {
  let files: Readonly<Record<string, Kept>> = {};
  let writtenMs = 0;
  try {
    const kept = JSON.parse(await readFile(path ?? '', 'utf8')) as {
      format: string;
      writtenMs: number;
      files: Readonly<Record<string, Kept>>;
    };
    if (kept.format === FORMAT) ({ files, writtenMs } = kept);
  } catch {}
  return {
    get({ path: name, bytes, modifiedMs }, withUses) {
      const kept = Object.hasOwn(files, name) ? files[name] : undefined;
      if (kept === undefined || kept[0] !== bytes || kept[1] !== modifiedMs) return null;
      return modifiedMs > writtenMs - RACY_MS || (withUses && !kept[2].hasUses) ? null : kept[2];
    },
  };
}

/** Replaces the whole cache. If it cannot be written, the old one stays. */
async function writeCache(
  path: string | null,
  nowMs: number,
  files: readonly SourceFile[],
  facts: ReadonlyMap<string, FileFacts>,
): Promise<void> {
  if (path === null) return;
  const kept: Record<string, Kept> = {};
  for (const { path: name, bytes, modifiedMs } of files) {
    const known = facts.get(name);
    if (known !== undefined) kept[name] = [bytes, modifiedMs, known];
  }
  const aside = `${path}.${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(aside, JSON.stringify({ format: FORMAT, writtenMs: nowMs, files: kept }), { mode: 0o600 });
    await rename(aside, path);
  } catch {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

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
