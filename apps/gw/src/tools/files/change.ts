import { type Preview, type ToolContext, ToolFailed, type ToolResult } from '../../agent/types.ts';
import { fileOf } from '../definition/define.ts';
import { type Replacement, replaceAll } from './replace.ts';
import { digestOf, readTextFile, writeTextFile } from './text-file.ts';

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly byteOrderMark: boolean;
}

/** What replacements would make of a file that was read and has not changed since. */
async function plan(shown: string, replacements: readonly Replacement[], context: ToolContext): Promise<Change> {
  const path = await fileOf(shown, context);
  const { bytes, text, byteOrderMark } = await readTextFile(path, shown, context.editor);
  const known = context.files.digestOf(path);
  if (known === null) throw new ToolFailed(`${shown} was not read yet. Read it first, then edit it.`);
  if (known !== digestOf(bytes))
    throw new ToolFailed(`${shown} changed since it was read. Read it again, then edit it.`);
  return { path, before: text, after: replaceAll(text, replacements, shown), byteOrderMark };
}

export async function previewChange(
  shown: string,
  replacements: readonly Replacement[],
  context: ToolContext,
): Promise<Preview> {
  const { before, after } = await plan(shown, replacements, context);
  return { kind: 'diff', path: shown, before, after };
}

export async function makeChange(
  shown: string,
  replacements: readonly Replacement[],
  context: ToolContext,
): Promise<ToolResult> {
  const { path, before, after, byteOrderMark } = await plan(shown, replacements, context);
  await context.snapshots.beforeWrite(path);
  context.files.note(path, await writeTextFile(path, shown, { text: after, byteOrderMark }, context.editor));
  const edits = replacements.length === 1 ? 'edited' : `edited (${replacements.length} edits)`;
  return {
    outcome: 'succeeded',
    content: `${shown} was ${edits}.`,
    display: { kind: 'diff', path: shown, before, after },
  };
}
