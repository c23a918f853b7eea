import { writeFile } from 'node:fs/promises';
import { legible } from '@gateway/contract/legible';
import type { Project } from '../../files/project.ts';
import {
  type CourseFile,
  changesOf,
  type Lesson,
  type LessonChange,
  linksOf,
  nameOf,
  openCourses,
  progressOf,
  progressPath,
  readProgress,
  withDigests,
} from '../../map/course.ts';
import { askGit, findProgram } from '../../process/ask-git.ts';
import type { Context } from '../../process/context.ts';
import { CommandFailed, reasonOf } from '../../process/fault.ts';
import { EXIT } from '../command/command.ts';
import type { CourseOptions } from './options.ts';

interface Reopened extends LessonChange {
  readonly course: string;
  readonly lesson: string;
  /** Short hash and subject of the last commit of the file; null where git knows none. */
  readonly commit: string | null;
}

/** `gw course check`: exit code 1 where the code of a lesson is no longer what the lesson was written or finished for. */
export async function checkCourses(context: Context, { course, update, json }: CourseOptions): Promise<number> {
  const { environment, terminal } = context;
  const { project, courses } = await openCourses(context, course);
  if (update) return updateCourses(context, project, courses);
  const progress = await readProgress(progressPath(environment.homeDirectory, project.directory));
  const reopened: Reopened[] = [];
  for (const { path, course: read } of courses) {
    for (const lesson of read.lessons) {
      const links = await linksOf(project.directory, lesson);
      for (const change of changesOf(links, progressOf(progress, path, lesson.id))) {
        const commit = await lastCommit(context, project, change.link.path);
        reopened.push({ ...change, course: path, lesson: lesson.title, commit });
      }
    }
  }
  const lessons = courses.flatMap(({ course: read }) => read.lessons).length;
  if (json) {
    const rows = reopened.map(({ course: file, lesson, link, what, since, commit }) => ({
      course: file,
      lesson,
      code: nameOf(link),
      line: link.line,
      what,
      since,
      commit,
    }));
    await terminal.write(`${JSON.stringify({ courses: courses.length, lessons, reopened: rows }, null, 2)}\n`);
  } else if (reopened.length > 0) {
    await terminal.write(reopened.map((each) => `${legible(sentenceOf(each))}\n`).join(''));
    terminal.report('Revise these lessons, then run: gw course check --update\n');
  } else {
    await terminal.write(
      courses.length === 0
        ? 'There is no course to check.\n'
        : `${lessons === 1 ? '1 lesson agrees' : `${lessons} lessons agree`} with the code.\n`,
    );
  }
  return reopened.length === 0 ? EXIT.done : EXIT.failed;
}

const WHAT: Readonly<Record<LessonChange['what'], string>> = {
  changed: 'changed',
  'no file': 'no longer exists',
  'no symbol': 'is no longer declared there',
  'unknown language': 'is in a language whose declarations are not read; link the whole file',
  'no digest': 'has no recorded digest',
};

function sentenceOf({ course, lesson, link, what, since, commit }: Reopened): string {
  const when = what === 'changed' && since === 'finished' ? ' since you finished the lesson' : '';
  return `${course}:${link.line}: lesson "${lesson}": ${nameOf(link)} ${WHAT[what]}${when}${commit === null ? '' : ` (${commit})`}`;
}

async function lastCommit({ environment }: Context, project: Project, path: string): Promise<string | null> {
  const git = project.repository && !project.foreign ? await findProgram('git', environment) : null;
  if (git === null) return null;
  const ask = (...args: readonly string[]) => askGit(git, args, environment, { directory: project.directory });
  const dirty = await ask('status', '--porcelain', '--ignore-submodules=all', '--', path);
  if (dirty.code === 0 && dirty.output !== '') return 'not committed yet';
  const { code, output } = await ask('log', '-1', '--format=%h %s', '--', path);
  return code === 0 && output !== '' ? output.trim() : null;
}

async function updateCourses({ terminal }: Context, project: Project, courses: readonly CourseFile[]): Promise<number> {
  for (const { path, file, text, course } of courses) {
    const digests = new Map<number, string>();
    for (const lesson of course.lessons) await addDigests(project, path, lesson, digests);
    const written = withDigests(text, digests);
    if (written === text) continue;
    await writeFile(file, written).catch((error: unknown) => {
      throw new CommandFailed(`${path} cannot be written: ${reasonOf(error)}`);
    });
    await terminal.write(`${path}: recorded.\n`);
  }
  return EXIT.done;
}

async function addDigests(project: Project, path: string, lesson: Lesson, digests: Map<number, string>): Promise<void> {
  for (const { link, code } of await linksOf(project.directory, lesson)) {
    if (code.state !== 'found') {
      throw new CommandFailed(`${path}:${link.line}: ${nameOf(link)} ${WHAT[code.state]}. Correct the link first.`);
    }
    digests.set(link.line, code.digest);
  }
}
