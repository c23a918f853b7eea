import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import { findProject, type Project, staysWithin } from '../files/project.ts';
import type { Context } from '../process/context.ts';
import { pathFrom } from '../process/environment.ts';
import { CommandFailed, reasonOf, WrongUsage } from '../process/fault.ts';
import * as s from '../schema/index.ts';
import { extractFacts } from './extract.ts';
import { languageOf } from './languages/index.ts';

/** Code that a lesson is about, and its state when the lesson was written. */
export interface CodeLink {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** Name of a declaration in it; null means the whole file. */
  readonly symbol: string | null;
  /** `sha256:` and hexadecimal digits over the text of the symbol; null where none was recorded yet. */
  readonly digest: string | null;
  /** Line of the link in the course file, from 1. */
  readonly line: number;
}

export interface Lesson {
  /** Derived from the title. */
  readonly id: string;
  readonly title: string;
  /** Line of the heading, from 1. */
  readonly line: number;
  readonly code: readonly CodeLink[];
  /** What the lesson says, without its exercise. */
  readonly text: string;
  readonly exercise: { readonly question: string; readonly answer: string } | null;
}

export interface Course {
  readonly title: string;
  readonly introduction: string;
  readonly lessons: readonly Lesson[];
}

/** A course file that is none: the line, and what is wrong there. */
export class CourseFault extends Error {
  override readonly name = 'CourseFault';
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const LINK = /^<!--\s*code:\s*(?<path>[^#\s]+)(?:#(?<symbol>\S+))?(?:\s+(?<digest>sha256:[0-9a-f]{64}))?\s*-->$/;
const EXERCISE = /^### Exercise\s*$/;
const ANSWER = /^<details>\s*<summary>Answer<\/summary>\s*$/;

/**
 * Reads a course: a Markdown file with one `#` title and a `##` heading for each lesson. Below the heading are links to code
 * (`<!-- code: path#symbol sha256:… -->`), the text, and an optional `### Exercise` with the answer in
 * `<details><summary>Answer</summary>`. Throws `CourseFault`.
 */
export function parseCourse(text: string): Course {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const headings = headingsOf(lines);
  const first = headings[0];
  if (first?.level !== 1) throw new CourseFault(first?.line ?? 1, 'A course begins with its title: # Title.');
  const starts = headings.slice(1);
  const wrong = starts.find(({ level }) => level === 1);
  if (wrong !== undefined) throw new CourseFault(wrong.line, 'A course has one # title. Lessons have ## headings.');
  if (starts.length === 0)
    throw new CourseFault(first.line, 'The course has no lesson. Each lesson begins with a ## heading.');
  const lessons = starts.map(({ line, title }, at) =>
    lessonOf(title, line, lines.slice(line, (starts[at + 1]?.line ?? lines.length + 1) - 1)),
  );
  const ids = new Set<string>();
  for (const { id, line, title } of lessons) {
    if (ids.has(id))
      throw new CourseFault(line, `There is another lesson named ${JSON.stringify(title)}. Give each its own title.`);
    ids.add(id);
  }
  return {
    title: first.title,
    introduction: lines
      .slice(first.line, (starts[0]?.line ?? 1) - 1)
      .join('\n')
      .trim(),
    lessons,
  };
}

interface Heading {
  readonly level: 1 | 2;
  readonly title: string;
  readonly line: number;
}

/** Which lines are fenced code, its fences included, and the fence that nothing closes. */
export function fencesIn(lines: readonly string[]): {
  readonly isCode: readonly boolean[];
  readonly open: string | null;
} {
  let open: string | null = null;
  const isCode = lines.map((line) => {
    const [, mark, rest = ''] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line) ?? [];
    const before = open;
    if (mark !== undefined && open === null) open = mark;
    else if (mark?.startsWith(open ?? '') && rest.trim() === '') open = null;
    return before !== null || open !== null;
  });
  return { isCode, open };
}

/** `#` and `##` headings outside fenced code. */
function headingsOf(lines: readonly string[]): readonly Heading[] {
  const { isCode } = fencesIn(lines);
  return lines.flatMap((line, at) => {
    const [, hashes, title] = (!isCode[at] && /^(#{1,2})\s+(.+?)(?:\s+#+)?\s*$/.exec(line)) || [];
    return hashes === undefined || title === undefined
      ? []
      : [{ level: hashes.length === 1 ? (1 as const) : (2 as const), title, line: at + 1 }];
  });
}

/** Names a lesson in progress files and messages. */
export function lessonId(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}

function lessonOf(title: string, line: number, body: readonly string[]): Lesson {
  const code: CodeLink[] = [];
  const text: string[] = [];
  const { isCode } = fencesIn(body);
  body.forEach((each, at) => {
    if (isCode[at] || !each.startsWith('<!-- code:')) {
      text.push(each);
      return;
    }
    const link = LINK.exec(each.trim())?.groups;
    if (link?.path === undefined) {
      throw new CourseFault(line + at + 1, 'This is not a link to code. Write <!-- code: path#symbol -->.');
    }
    code.push({ path: link.path, symbol: link.symbol ?? null, digest: link.digest ?? null, line: line + at + 1 });
  });
  if (code.length === 0) {
    throw new CourseFault(
      line,
      `The lesson ${JSON.stringify(title)} has no code. Add <!-- code: path#symbol --> below its heading.`,
    );
  }
  return { id: lessonId(title), title, line, code, ...partsOf(text, line) };
}

function partsOf(text: readonly string[], line: number): Pick<Lesson, 'text' | 'exercise'> {
  const { isCode } = fencesIn(text);
  const find = (from: number, fits: (line: string) => boolean): number =>
    text.findIndex((each, at) => at > from && !isCode[at] && fits(each.trim()));
  const at = find(-1, (each) => EXERCISE.test(each));
  if (at < 0) return { text: text.join('\n').trim(), exercise: null };
  const answerAt = find(at, (each) => ANSWER.test(each));
  const end = find(answerAt, (each) => each === '</details>');
  if (answerAt < 0 || end < 0) {
    throw new CourseFault(
      line,
      'The exercise has no answer. Write it between <details><summary>Answer</summary> and </details>.',
    );
  }
  return {
    text: text.slice(0, at).join('\n').trim(),
    exercise: {
      question: text
        .slice(at + 1, answerAt)
        .join('\n')
        .trim(),
      answer: text
        .slice(answerAt + 1, end)
        .join('\n')
        .trim(),
    },
  };
}

/** The course file with the given digests in its links, and nothing else changed. */
export function withDigests(text: string, digests: ReadonlyMap<number, string>): string {
  const lines = text.split('\n');
  for (const [line, digest] of digests) {
    const old = lines[line - 1] ?? '';
    lines[line - 1] = old.replace(/\s*(?:sha256:[0-9a-f]{64})?\s*-->/, ` ${digest} -->`);
  }
  return lines.join('\n');
}

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

const LESSON = s.object({
  title: s.trimmed({ min: 1, max: 120 }),
  path: s.trimmed({ min: 1 }),
  symbol: s.trimmed({ min: 1 }).orNull(),
  text: s.trimmed({ min: 1 }),
  question: s.trimmed({ min: 1 }),
  answer: s.trimmed({ min: 1 }),
});
const DRAFT = s.object({ introduction: s.trimmed().orElse(''), lessons: s.array(LESSON, { min: 1, max: 50 }) });

/** A course as a model drafts it; digests are added once its code was found. */
export interface Draft {
  readonly introduction: string;
  readonly lessons: readonly (s.Infer<typeof LESSON> & { readonly digest?: string })[];
}

/** Reads the JSON object of an answer, with or without text or a code fence around it. The fault is for the model. */
export function parseDraft(answer: string): { readonly draft: Draft | null; readonly fault: string } {
  const json = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  try {
    const parsed = DRAFT.check(JSON.parse(json));
    if (parsed.ok) return { draft: parsed.value, fault: '' };
    const [issue] = parsed.issues;
    return { draft: null, fault: `${(issue?.path ?? []).join('.') || 'The object'}: ${issue?.message ?? 'wrong'}.` };
  } catch {
    return { draft: null, fault: 'The answer is not a JSON object.' };
  }
}

/** The Markdown file of a draft, as `parseCourse` reads it. */
export function courseText(title: string, { introduction, lessons }: Draft): string {
  const ids = new Set<string>();
  const parts = lessons.map((lesson) => {
    let name = oneLine(lesson.title);
    for (let number = 2; ids.has(lessonId(name)); number++) name = `${oneLine(lesson.title)} (${number})`;
    ids.add(lessonId(name));
    const code = `${lesson.path}${lesson.symbol === null ? '' : `#${lesson.symbol}`}${lesson.digest === undefined ? '' : ` ${lesson.digest}`}`;
    return [
      `## ${name}`,
      `<!-- code: ${code} -->`,
      plain(lesson.text),
      '### Exercise',
      plain(lesson.question),
      `<details><summary>Answer</summary>\n\n${plain(lesson.answer)}\n\n</details>`,
    ].join('\n\n');
  });
  return `${[`# ${oneLine(title)}`, plain(introduction), ...parts].filter((part) => part !== '').join('\n\n')}\n`;
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replace(/^#+\s*/, '')
    .trim();
}

/** Headings and marks of the format would begin another lesson or end the answer, as code without its end would. */
function plain(text: string): string {
  const lines = text.split(/\r?\n/);
  const { isCode, open } = fencesIn(lines);
  const escaped = lines.map((line, at) =>
    isCode[at] ? line : line.replace(/^\s*(?=#{1,6}\s|<!-- code:|<\/?details>)/, (indentation) => `${indentation}\\`),
  );
  return [...escaped, ...(open === null ? [] : [open])].join('\n');
}

/** Days after which a finished lesson is due again, each time it was recalled. */
const INTERVALS_DAYS = [1, 3, 7, 21, 60, 180] as const;
const DAY_MS = 86_400_000;

const PROGRESS_LESSON = s.object({
  finishedAt: s.instant(),
  reviewedAt: s.instant(),
  /** How often it was recalled since it was finished. */
  recalled: s.integer({ min: 0 }),
  /** Digest of each link's code when it was finished or last reviewed, by `path#symbol`. */
  digests: s.record(s.string()),
});
const PROGRESS = s.object({
  version: s.literal(1),
  courses: s.record(s.record(PROGRESS_LESSON)),
});

export type LessonProgress = s.Infer<typeof PROGRESS_LESSON>;
/** What a person finished, by course file and lesson. */
export type Progress = s.Infer<typeof PROGRESS>;

export const NO_PROGRESS: Progress = { version: 1, courses: {} };

export function progressOf(progress: Progress, course: string, lesson: string): LessonProgress | null {
  // Names are anybody's: a lesson may be called as a member that every object has.
  const lessons = Object.hasOwn(progress.courses, course) ? progress.courses[course] : undefined;
  return lessons !== undefined && Object.hasOwn(lessons, lesson) ? (lessons[lesson] ?? null) : null;
}

/** The progress after a lesson was finished, recalled or not recalled. */
export function withLesson(progress: Progress, course: string, lesson: string, value: LessonProgress): Progress {
  return { ...progress, courses: { ...progress.courses, [course]: { ...progress.courses[course], [lesson]: value } } };
}

export function finish(now: Date, digests: Readonly<Record<string, string>>): LessonProgress {
  const at = now.toISOString();
  return { finishedAt: at, reviewedAt: at, recalled: 0, digests };
}

/** A lesson that was not recalled starts again with the shortest interval. */
export function review(
  last: LessonProgress,
  now: Date,
  digests: Readonly<Record<string, string>>,
  remembered: boolean,
): LessonProgress {
  return { ...last, reviewedAt: now.toISOString(), recalled: remembered ? last.recalled + 1 : 0, digests };
}

export function isDue({ reviewedAt, recalled }: LessonProgress, now: Date): boolean {
  const days = INTERVALS_DAYS[Math.min(recalled, INTERVALS_DAYS.length - 1)] ?? 1;
  return now.getTime() - Date.parse(reviewedAt) >= days * DAY_MS;
}

/** Where the progress in a project's courses is stored: the user's own directory, never the project. */
export function progressPath(homeDirectory: string | null, project: string): string | null {
  const name = createHash('sha256').update(project).digest('hex').slice(0, 32);
  return homeDirectory === null ? null : join(homeDirectory, '.gateway', 'courses', `${name}.json`);
}

/** Progress that was never written is none. Throws `CommandFailed` where the file is damaged: it is not overwritten. */
export async function readProgress(path: string | null): Promise<Progress> {
  if (path === null) return NO_PROGRESS;
  try {
    const progress = PROGRESS.valueOf(JSON.parse(await readFile(path, 'utf8')));
    if (progress !== null) return progress;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return NO_PROGRESS;
  }
  throw new CommandFailed(`${path} cannot be read as the progress of a course. Repair it, or move it away.`);
}

/** Replaces the file as a whole, readable by its owner alone. */
export async function writeProgress(path: string | null, progress: Progress): Promise<void> {
  if (path === null) throw new CommandFailed('The progress cannot be kept: you have no home directory. Set HOME.');
  const aside = `${path}.${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(aside, `${JSON.stringify(progress, null, 2)}\n`, { mode: 0o600 });
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw new CommandFailed(`${path} cannot be written: ${reasonOf(error)}`);
  }
}

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

/** The code that a link points to, in its current state. */
type CodeState =
  | { readonly state: 'found'; readonly text: string; readonly digest: string; readonly firstLine: number }
  | { readonly state: 'no file' | 'no symbol' | 'unknown language' };

/** Reads the code of a link. `project` is the directory that its path is relative to; nothing outside it is read. */
export async function codeOf(project: string, { path, symbol }: CodeLink): Promise<CodeState> {
  const file = join(project, path);
  const source = (await staysWithin(project, file)) ? await readFile(file, 'utf8').catch(() => null) : null;
  if (source === null) return { state: 'no file' };
  if (symbol === null) return toFound(source, 1);
  const language = languageOf(path);
  if (language === undefined) return { state: 'unknown language' };
  const { symbols } = await extractFacts(language, source, false);
  const declaration = symbols.find(({ name }) => name === symbol);
  if (declaration === undefined) return { state: 'no symbol' };
  const { firstLine, lastLine } = declaration;
  return toFound(
    source
      .split('\n')
      .slice(firstLine - 1, lastLine)
      .join('\n'),
    firstLine,
  );
}

/** Line ends and blanks at them do not make another text. */
function toFound(text: string, firstLine: number): CodeState {
  const plain = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return {
    state: 'found',
    text: plain,
    digest: `sha256:${createHash('sha256').update(plain).digest('hex')}`,
    firstLine,
  };
}

/** One link of a lesson with the code it points to now. */
export interface LinkState {
  readonly link: CodeLink;
  readonly code: CodeState;
}

/** Why a lesson must be looked at again. */
export interface LessonChange {
  readonly link: CodeLink;
  readonly what: 'changed' | 'no file' | 'no symbol' | 'unknown language' | 'no digest';
  /** Since the lesson was written, or since this person finished it. */
  readonly since: 'written' | 'finished';
}

export async function linksOf(project: string, lesson: Lesson): Promise<readonly LinkState[]> {
  return Promise.all(lesson.code.map(async (link) => ({ link, code: await codeOf(project, link) })));
}

export function nameOf({ path, symbol }: CodeLink): string {
  return symbol === null ? path : `${path}#${symbol}`;
}

/** Digests of the current code, by `path#symbol`, for the progress. */
export function digestsOf(links: readonly LinkState[]): Record<string, string> {
  return Object.fromEntries(
    links.flatMap(({ link, code }) => (code.state === 'found' ? [[nameOf(link), code.digest] as const] : [])),
  );
}

/** What changed since the lesson was written and, where it was finished, since then. */
export function changesOf(links: readonly LinkState[], progress: LessonProgress | null): readonly LessonChange[] {
  return links.flatMap(({ link, code }): readonly LessonChange[] => {
    if (code.state !== 'found') return [{ link, what: code.state, since: 'written' }];
    if (link.digest === null) return [{ link, what: 'no digest', since: 'written' }];
    if (link.digest !== code.digest) return [{ link, what: 'changed', since: 'written' }];
    const finished = progress?.digests[nameOf(link)];
    return finished !== undefined && finished !== code.digest ? [{ link, what: 'changed', since: 'finished' }] : [];
  });
}
