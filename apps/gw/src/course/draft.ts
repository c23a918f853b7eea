import * as s from '../schema/index.ts';
import { fencesIn, lessonId } from './course.ts';

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
