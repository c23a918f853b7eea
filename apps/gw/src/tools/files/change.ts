import { type Preview, type ToolContext, ToolFailed, type ToolResult } from '../../agent/types.ts';
import { fileOf } from '../definition/define.ts';
import { type Replacement, replaceAll } from './replace.ts';
import type { TextFile } from './text.ts';
import { digestOf, readTextFile, writeTextFile } from './text-file.ts';

interface Change {
  readonly path: string;
  readonly old: TextFile;
  readonly after: string;
}

/** What replacements would make of a file that was read and has not changed since. */
async function plan(shown: string, replacements: readonly Replacement[], context: ToolContext): Promise<Change> {
  const path = await fileOf(shown, context);
  const old = await readTextFile(path, shown, context.editor);
  const known = context.files.digestOf(path);
  if (known === null) throw new ToolFailed(`${shown} was not read yet. Read it first, then edit it.`);
  if (known !== digestOf(old.bytes))
    throw new ToolFailed(`${shown} changed since it was read. Read it again, then edit it.`);
  return { path, old, after: replaceAll(old.text, replacements, shown) };
}

export async function previewChange(
  shown: string,
  replacements: readonly Replacement[],
  context: ToolContext,
): Promise<Preview> {
  const { old, after } = await plan(shown, replacements, context);
  return { kind: 'diff', path: shown, before: old.text, after };
}

export async function makeChange(
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
