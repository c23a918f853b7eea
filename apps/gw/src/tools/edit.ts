import { type Preview, type ToolContext, ToolFailed, type ToolResult } from '../agent/types/index.ts';
import * as s from '../schema/index.ts';
import { defineTool, fileOf } from './define.ts';
import { digestOf, readTextFile, type TextFile, writeTextFile } from './text-file.ts';

/** Line numbers in a message, at most. */
const MOST_PLACES = 20;

const MASK = /\[secret:[\w.-]+\]/g;

export const edit = defineTool({
  name: 'Edit',
  description:
    'Replaces text in a file that was read before. old_string must occur exactly once, blanks and indentation included; replace_all replaces every occurrence.',
  schema: s.object({
    file_path: s.string({ min: 1 }).describe('Path of the file.'),
    old_string: s.string().describe('Text to replace, exactly as it is in the file, without line numbers.'),
    new_string: s.string().describe('Text to put in its place.'),
    replace_all: s.boolean().optional().describe('Replace every occurrence.'),
  }),
  effect: 'write',
  target: ({ file_path }) => ({ kind: 'path', value: file_path }),
  preview: (args, context) => previewChange(args.file_path, [args], context),
  run: (args, context) => makeChange(args.file_path, [args], context),
});

export const multiEdit = defineTool({
  name: 'MultiEdit',
  description:
    'Makes several replacements in one file that was read before, one after the other: all of them or none. Each follows the rules of Edit and sees the result of those before it.',
  schema: s.object({
    file_path: s.string({ min: 1 }).describe('Path of the file.'),
    edits: s
      .array(
        s.object({
          old_string: s.string().describe('Text to replace, exactly as it is in the file.'),
          new_string: s.string().describe('Text to put in its place.'),
          replace_all: s.boolean().optional().describe('Replace every occurrence.'),
        }),
        { min: 1 },
      )
      .describe('The replacements in their order.'),
  }),
  effect: 'write',
  target: ({ file_path }) => ({ kind: 'path', value: file_path }),
  preview: ({ file_path, edits }, context) => previewChange(file_path, edits, context),
  run: ({ file_path, edits }, context) => makeChange(file_path, edits, context),
});

interface Replacement {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

/**
 * Applies replacements one after the other, all or none. Line ends in the arguments mean those of the file: any in the
 * text to find, those of the text replaced in the new text. Throws `ToolFailed` that names the replacement, and how often and where its text occurs.
 */
export function replaceAll(text: string, replacements: readonly Replacement[], shown: string): string {
  return replacements.reduce((current, one, at) => {
    const which = replacements.length > 1 ? `Edit ${at + 1} of ${replacements.length} failed and none was made: ` : '';
    return replaceOne(current, one, shown, which);
  }, text);
}

function replaceOne(
  text: string,
  { old_string, new_string, replace_all }: Replacement,
  shown: string,
  which: string,
): string {
  if (old_string === '') throw new ToolFailed(`${which}old_string is empty. Use Write to create a file.`);
  if (old_string === new_string)
    throw new ToolFailed(`${which}old_string and new_string are the same: nothing would change.`);
  for (const [name, value] of Object.entries({ old_string, new_string })) {
    const mask = foreignMask(value, text);
    if (mask !== null)
      throw new ToolFailed(
        `${which}${name} contains ${mask}, which masks a secret that you cannot see. Leave it out: edit the text before and after it.`,
      );
  }
  const wanted = patternOf(old_string);
  const places = Array.from(text.matchAll(wanted), ({ index }) => index);
  if (places.length === 0)
    throw new ToolFailed(`${which}old_string does not occur in ${shown}. ${hint(text, old_string)}`);
  if (places.length > 1 && replace_all !== true) {
    const lines = linesOf(text, places);
    throw new ToolFailed(
      `${which}old_string occurs ${places.length} times in ${shown}, at lines ${lines}. Add text around it that makes it unique, or set replace_all.`,
    );
  }
  const windows = hasWindowsLineEnds(text);
  return text.replaceAll(wanted, (found) =>
    (found.includes('\n') ? hasWindowsLineEnds(found) : windows) ? withWindowsLineEnds(new_string) : new_string,
  );
}

/** Read shows all line ends alike: a line end in the arguments means each of them. */
function patternOf(text: string): RegExp {
  const lines = text.split(/\r?\n/).map((line) => line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(lines.join('\\r?\\n'), 'g');
}

function hasWindowsLineEnds(text: string): boolean {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows > 0 && windows * 2 >= all;
}

function withWindowsLineEnds(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

function linesOf(text: string, places: readonly number[]): string {
  const lines = places.slice(0, MOST_PLACES).map((at) => text.slice(0, at).split('\n').length);
  return `${lines.join(', ')}${places.length > MOST_PLACES ? ` and ${places.length - MOST_PLACES} more` : ''}`;
}

/** What a model most often got wrong: blanks. */
function hint(text: string, wanted: string): string {
  const bare = (line: string): string => line.trim().replaceAll(/\s+/g, ' ');
  const first = wanted.split(/\r?\n/).map(bare).find(Boolean);
  const at = first === undefined ? -1 : text.split(/\r?\n/).findIndex((line) => bare(line) === first);
  if (at < 0) return 'Read the file again and copy the text exactly.';
  return `Line ${at + 1} is similar: compare blanks, indentation and the lines that follow, and copy the text exactly.`;
}

interface FileChange {
  readonly path: string;
  readonly old: TextFile;
  readonly after: string;
}

/** What replacements would make of a file that was read and has not changed since. */
async function plan(shown: string, replacements: readonly Replacement[], context: ToolContext): Promise<FileChange> {
  const path = await fileOf(shown, context);
  const old = await readTextFile(path, shown, context.editor);
  const known = context.files.digestOf(path);
  if (known === null) throw new ToolFailed(`${shown} was not read yet. Read it first, then edit it.`);
  if (known !== digestOf(old.bytes))
    throw new ToolFailed(`${shown} changed since it was read. Read it again, then edit it.`);
  return { path, old, after: replaceAll(old.text, replacements, shown) };
}

async function previewChange(
  shown: string,
  replacements: readonly Replacement[],
  context: ToolContext,
): Promise<Preview> {
  const { old, after } = await plan(shown, replacements, context);
  return { kind: 'diff', path: shown, before: old.text, after };
}

async function makeChange(
  shown: string,
  replacements: readonly Replacement[],
  context: ToolContext,
): Promise<ToolResult> {
  const { path, old, after } = await plan(shown, replacements, context);
  await context.snapshots.beforeWrite(path);
  const file = { text: after, byteOrderMark: old.byteOrderMark };
  context.files.note(path, await writeTextFile(path, shown, file, old, context.editor));
  const edits = replacements.length === 1 ? 'edited' : `edited (${replacements.length} edits)`;
  return {
    outcome: 'succeeded',
    content: `${shown} was ${edits}.`,
    display: { kind: 'diff', path: shown, before: old.text, after },
  };
}

/** The first mask of a secret in `written` that the file does not contain itself: writing it would lose the secret. */
export function foreignMask(written: string, file: string): string | null {
  return written.match(MASK)?.find((mask) => !file.includes(mask)) ?? null;
}
