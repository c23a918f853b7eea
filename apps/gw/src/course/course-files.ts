import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { CommandFailed, WrongUsage } from '../process/fault.ts';
import { type Course, CourseFault, parseCourse } from './course.ts';

/** Directories that courses are looked for in, relative to the project. */
export const COURSE_DIRECTORIES = ['docs/course', '.gateway/courses'] as const;

export interface CourseFile {
  /** Relative to the project if it is inside. */
  readonly path: string;
  readonly file: string;
  readonly text: string;
  readonly course: Course;
}

/** Every course of a project, by path. `README.md` beside courses is none. */
export async function findCourses(project: string): Promise<readonly CourseFile[]> {
  const found: CourseFile[] = [];
  for (const directory of COURSE_DIRECTORIES) {
    const names: string[] = await readdir(join(project, directory)).catch(() => []);
    for (const name of names.toSorted()) {
      if (name.endsWith('.md') && name !== 'README.md') found.push(await readCourse(project, join(directory, name)));
    }
  }
  return found;
}

/** Reads one course. Throws `CommandFailed` with file and line where it is none. */
export async function readCourse(project: string, path: string): Promise<CourseFile> {
  const file = isAbsolute(path) ? path : join(project, path);
  const name = relative(project, file);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) throw new WrongUsage(`There is no course ${path}. Name the Markdown file of a course.`);
  try {
    return { path: name, file, text, course: parseCourse(text) };
  } catch (error) {
    if (error instanceof CourseFault) throw new CommandFailed(`${name}, line ${error.line}: ${error.message}`);
    throw error;
  }
}
