import { lstat, opendir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Environment } from '../process/environment.ts';
import { askGit } from '../programs/ask-git.ts';
import { findProgram } from '../programs/on-path.ts';
import type { Project } from '../project/project.ts';
import { languageOf } from './languages/index.ts';

/** A file of the project, with the stamp that shows a change since the last run. */
export interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface SourceFiles {
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
