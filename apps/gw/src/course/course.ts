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
