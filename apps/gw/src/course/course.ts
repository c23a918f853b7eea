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
  /** Derived from the title; names the lesson in progress files and messages. */
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

/** `#` and `##` headings outside fenced code. */
function headingsOf(lines: readonly string[]): readonly Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  lines.forEach((line, at) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    const [, hashes, title] = (fence === null && /^(#{1,2})\s+(.+?)\s*#*$/.exec(line)) || [];
    if (hashes !== undefined && title !== undefined)
      found.push({ level: hashes.length === 1 ? 1 : 2, title, line: at + 1 });
  });
  return found;
}

function lessonOf(title: string, line: number, body: readonly string[]): Lesson {
  const code: CodeLink[] = [];
  const text: string[] = [];
  body.forEach((each, at) => {
    if (!each.startsWith('<!-- code:')) {
      text.push(each);
      return;
    }
    const link = LINK.exec(each.trim())?.groups;
    if (link?.path === undefined) {
      throw new CourseFault(line + at + 1, 'This is no link to code. Write <!-- code: path#symbol -->.');
    }
    code.push({ path: link.path, symbol: link.symbol ?? null, digest: link.digest ?? null, line: line + at + 1 });
  });
  if (code.length === 0) {
    throw new CourseFault(
      line,
      `The lesson ${JSON.stringify(title)} has no code. Add <!-- code: path#symbol --> below its heading.`,
    );
  }
  const id = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return { id, title, line, code, ...partsOf(text, line) };
}

function partsOf(text: readonly string[], line: number): Pick<Lesson, 'text' | 'exercise'> {
  const at = text.findIndex((each) => EXERCISE.test(each));
  if (at < 0) return { text: text.join('\n').trim(), exercise: null };
  const rest = text.slice(at + 1);
  const answerAt = rest.findIndex((each) => ANSWER.test(each.trim()));
  const end = rest.findIndex((each) => each.trim() === '</details>');
  if (answerAt < 0 || end < answerAt) {
    throw new CourseFault(
      line,
      'The exercise has no answer. Write it between <details><summary>Answer</summary> and </details>.',
    );
  }
  return {
    text: text.slice(0, at).join('\n').trim(),
    exercise: {
      question: rest.slice(0, answerAt).join('\n').trim(),
      answer: rest
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
