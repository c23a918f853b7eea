import { type CourseFile, findCourses, readCourse } from '../../course/course-files.ts';
import type { Context } from '../../process/context.ts';
import { pathFrom } from '../../process/environment.ts';
import { CommandFailed } from '../../process/fault.ts';
import { findProject, type Project } from '../../project/project.ts';

/** The project of the current directory, and the courses that were asked for: one by its path, or all of the project. */
export async function openCourses(
  { environment }: Context,
  path: string | null,
): Promise<{ project: Project; courses: readonly CourseFile[] }> {
  if (environment.workingDirectory === null) throw new CommandFailed('The current directory no longer exists.');
  const project = await findProject(environment.workingDirectory, environment.userId);
  const courses =
    path === null
      ? await findCourses(project.directory)
      : [await readCourse(project.directory, pathFrom(environment, path))];
  return { project, courses };
}
