import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BRAND } from '@gateway/contract';
import { pluralize } from '../process/pluralize.ts';
import { askRepository, type Repository } from '../programs/git.ts';
import { findProgram } from '../programs/on-path.ts';
import { findProject, type Project } from '../project/project.ts';
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
