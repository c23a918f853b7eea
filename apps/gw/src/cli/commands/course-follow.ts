import type { Project } from '../../files/project.ts';
import {
  COURSE_DIRECTORIES,
  type CourseFile,
  digestsOf,
  finish,
  isDue,
  type Lesson,
  type LessonProgress,
  type LinkState,
  linksOf,
  nameOf,
  openCourses,
  type Progress,
  progressOf,
  progressPath,
  readProgress,
  review,
  withLesson,
  writeProgress,
} from '../../map/course.ts';
import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';
import { safeText } from '../../terminal/text/safe.ts';
import { EXIT } from '../command/command.ts';
import type { CourseOptions } from './options.ts';

/** Lines of code that are shown of one link; the rest is named. */
const MAX_CODE_LINES = 40;

interface Item {
  readonly file: CourseFile;
  readonly lesson: Lesson;
  readonly links: readonly LinkState[];
  /** Why it is shown: `new`, `due`, or `changed`. */
  readonly why: 'new' | 'due' | 'changed';
}

/**
 * `gw course follow` and `gw course review`. In a terminal it asks after each lesson and keeps the progress; elsewhere it
 * prints the next lesson, with its answer, and changes nothing.
 */
export async function followCourse(context: Context, { action, course }: CourseOptions): Promise<number> {
  const { environment, terminal } = context;
  // The texts and the code are those of a repository, which may be anybody's.
  const show = (text: string): Promise<void> => terminal.write(terminal.output ? safeText(text) : text);
  const { project, courses } = await openCourses(context, course);
  if (courses.length === 0) {
    throw new WrongUsage(`There is no course in ${COURSE_DIRECTORIES.join(' or ')}. Draft one with gw course design.`);
  }
  const path = progressPath(environment.homeDirectory, project.directory);
  let progress = await readProgress(path);
  const items = (await itemsOf(project, courses, progress, context.now())).filter(({ why }) =>
    action === 'review' ? why !== 'new' : true,
  );
  if (items.length === 0) {
    await terminal.write(
      action === 'review'
        ? 'Nothing is due, and no finished lesson changed.\n'
        : 'Every lesson is finished. gw course review repeats them.\n',
    );
    return EXIT.done;
  }
  if (action === 'review') await show(`${summaryOf(items)}\n`);
  for (const item of items) {
    const { file, lesson, links } = item;
    await show(`${lessonText(item)}\n`);
    if (!terminal.input || !terminal.output) {
      if (lesson.exercise !== null) await terminal.write(`Answer\n\n${lesson.exercise.answer}\n`);
      return EXIT.done;
    }
    if (lesson.exercise !== null) {
      if ((await terminal.ask('Enter shows the answer. ')) === null) return EXIT.done;
      await show(`\n${lesson.exercise.answer}\n\n`);
    }
    const last = progressOf(progress, file.path, lesson.id);
    const question = last === null ? 'Finished? [Y/n/q] ' : 'Did you remember it? [Y/n/q] ';
    const answer = (await terminal.ask(question))?.trim().toLowerCase() ?? 'q';
    if (answer.startsWith('q')) return EXIT.done;
    const yes = answer === '' || answer.startsWith('y');
    if (last === null && !yes) continue;
    const digests = digestsOf(links);
    const next = last === null ? finish(context.now(), digests) : review(last, context.now(), digests, yes);
    progress = withLesson(progress, file.path, lesson.id, next);
    await writeProgress(path, progress);
  }
  return EXIT.done;
}

/** Lessons that are not finished, that changed since, or that are due, in the order of the courses. */
async function itemsOf(
  project: Project,
  courses: readonly CourseFile[],
  progress: Progress,
  now: Date,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (const file of courses) {
    for (const lesson of file.course.lessons) {
      const last = progressOf(progress, file.path, lesson.id);
      const links = await linksOf(project.directory, lesson);
      const changed = last !== null && hasChanged(links, last);
      if (last === null) items.push({ file, lesson, links, why: 'new' });
      else if (changed || isDue(last, now)) items.push({ file, lesson, links, why: changed ? 'changed' : 'due' });
    }
  }
  return items;
}

/** Since the person finished the lesson. Whether it agrees with the code is for its authors: `gw course check`. */
function hasChanged(links: readonly LinkState[], { digests }: LessonProgress): boolean {
  const now = digestsOf(links);
  return links.some(({ link }) => digests[nameOf(link)] !== now[nameOf(link)]);
}

function summaryOf(items: readonly Item[]): string {
  const lines = items.map(({ lesson, why }) => `  ${lesson.title}: ${why === 'changed' ? 'its code changed' : 'due'}`);
  return ['To review:', ...lines, ''].join('\n');
}

function lessonText({ file, lesson, links, why }: Item): string {
  const number = file.course.lessons.indexOf(lesson) + 1;
  const head = `${file.course.title}: lesson ${number} of ${file.course.lessons.length}${why === 'changed' ? ', reopened: its code changed' : ''}`;
  const introduction = number === 1 && why === 'new' ? [file.course.introduction, ''] : [];
  const exercise = lesson.exercise === null ? [] : ['', 'Exercise', '', lesson.exercise.question, ''];
  return [
    '',
    head,
    '',
    ...introduction,
    `## ${lesson.title}`,
    '',
    lesson.text,
    '',
    ...links.map(codeText),
    ...exercise,
  ].join('\n');
}

function codeText({ link, code }: LinkState): string {
  if (code.state !== 'found') return `${nameOf(link)}: ${code.state}\n`;
  const lines = code.text.split('\n');
  const shown = link.symbol === null ? [] : lines.slice(0, MAX_CODE_LINES).map((line) => `    ${line}`);
  const more = link.symbol === null ? 0 : lines.length - shown.length;
  const rest = more > 0 ? [`    … ${more} more lines`] : [];
  return [`${link.path}:${code.firstLine}`, ...shown, ...rest, ''].join('\n');
}
