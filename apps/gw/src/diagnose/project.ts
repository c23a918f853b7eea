import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BRAND } from '@gateway/contract';
import { findProject, type Project } from '../files/project.ts';
import { askGit, findProgram, withoutFilters } from '../process/ask-git.ts';
import type { Environment } from '../process/environment.ts';
import { pluralize } from '../process/pluralize.ts';
import type { Line, Probe } from './probe.ts';

/** Name of the directory in which a project, and a user at home, keep what is theirs. */
const OWN = `.${BRAND}`;

export interface ProjectFacts {
  readonly currentDirectory: string | null;
  readonly directory: string | null;
  readonly repository: boolean;
  readonly foreign: boolean;
  readonly git: Repository | null;
}

export async function projectFacts(probe: Probe): Promise<ProjectFacts> {
  const { environment, redaction, find } = probe;
  const currentDirectory = environment.workingDirectory;
  if (currentDirectory === null) {
    find({
      what: 'The current folder no longer exists.',
      where: 'the current directory',
      fix: 'Change to another one.',
    });
    return { currentDirectory, directory: null, repository: false, foreign: false, git: null };
  }
  const project = await findProject(currentDirectory, environment.userId);
  const git = project.repository && !project.foreign ? await aboutRepository(probe, project) : null;
  if (project.foreign) {
    find({
      grade: 'security',
      what: 'The repository belongs to another user, who could put instructions and programs into it. It was not read.',
      where: redaction.format`${project.directory}`,
      fix: 'Work in a clone of your own.',
    });
  }
  return { currentDirectory, ...project, git };
}

async function aboutRepository({ environment, redaction, find }: Probe, project: Project): Promise<Repository | null> {
  const git = await findProgram('git', environment);
  if (git === null) return null;
  const answer = await askRepository(git, project.directory, environment);
  if (answer === null) {
    find({
      what: 'git does not say in which state the repository is.',
      where: redaction.format`${project.directory}`,
      fix: 'Run git status there, and do what it says.',
    });
  }
  return answer;
}

export function projectLines(facts: ProjectFacts): readonly Line[] {
  const { currentDirectory, directory, repository, git, foreign } = facts;
  const changes =
    git === null ? [] : [['Changes', `${git.more ? 'more than ' : ''}${pluralize(git.changes, 'file')}`] as const];
  return [
    ['Current directory', currentDirectory ?? 'is gone'],
    ['Project', directory === null ? 'none' : `${directory}${repository ? ', a repository' : ', no repository'}`],
    ...(foreign ? [['Owner', 'another user'] as const] : []),
    ...(git === null ? [] : [['Branch', git.branch ?? 'none is checked out'] as const]),
    ...changes,
  ];
}

/** A directory in which settings and instructions are looked for. */
export interface OwnDirectory {
  readonly of: 'project' | 'home';
  /** The project or home directory itself. */
  readonly base: string;
  readonly path: string;
}

/** Those of the project, then of home: in this order agents are found by name. */
export async function ownDirectories(probe: Probe, project: ProjectFacts): Promise<readonly OwnDirectory[]> {
  const home = probe.environment.homeDirectory;
  const found: OwnDirectory[] = [];
  if (project.directory !== null && !project.foreign && project.directory !== home)
    found.push({ of: 'project', base: project.directory, path: join(project.directory, OWN) });
  // Service accounts are given one that is nowhere: /nonexistent, /dev/null.
  const there = home !== null && (await stat(home).catch(() => null))?.isDirectory() === true;
  if (there) found.push({ of: 'home', base: home, path: join(home, OWN) });
  else
    probe.find({
      what: 'You have no home directory, so that settings of your own cannot be kept.',
      where: 'HOME',
      fix: 'Set HOME to a directory that is yours.',
    });
  return found;
}

/** What a repository says about itself. */
interface Repository {
  /** Null where no branch is checked out. */
  readonly branch: string | null;
  /** Files that differ from the last commit, untracked ones included. */
  readonly changes: number;
  /** There are more changes than were counted. */
  readonly more: boolean;
}

const STATUS = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--ignore-submodules=all'];

/** Asks git about the repository of a directory; null where git refuses or does not answer. */
export async function askRepository(
  git: string,
  directory: string,
  environment: Environment,
): Promise<Repository | null> {
  const ask = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    askGit(git, args, environment, { directory, variables });
  const noFilters = await withoutFilters(git, environment, directory);
  if (noFilters === null) return null;
  const { code, output, cut } = await ask(STATUS, noFilters);
  if (code !== 0 && !cut) return null;
  const entries = output.split('\0');
  const branch = entries.find((entry) => entry.startsWith('# branch.head '))?.slice('# branch.head '.length) ?? null;
  // What follows a renamed file is the name it had.
  const changes = entries.filter((entry, at) => /^[12u?] /.test(entry) && !entries[at - 1]?.startsWith('2 ')).length;
  return { branch: branch === '(detached)' ? null : branch, changes, more: cut };
}
