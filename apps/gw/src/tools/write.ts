import { type ToolContext, ToolFailed } from '../agent/types.ts';
import * as s from '../schema/index.ts';
import { defineTool, fileOf } from './definition/define.ts';
import { foreignMask } from './files/mask.ts';
import type { TextFile } from './files/text.ts';
import { digestOf, readTextFileIfAny, withoutMark, writeTextFile } from './files/text-file.ts';

/** The file that would be replaced, or null. One that changed since it was read is not replaced. */
async function replaceFile(
  shown: string,
  content: string,
  context: ToolContext,
): Promise<{ readonly path: string; readonly old: TextFile | null }> {
  const path = await fileOf(shown, context);
  const old = await readTextFileIfAny(path, shown, context.editor);
  const known = context.files.digestOf(path);
  if (known !== null && old !== null && known !== digestOf(old.bytes)) {
    throw new ToolFailed(`${shown} changed since it was read. Read it again before replacing it.`);
  }
  const mask = old === null ? null : foreignMask(content, old.text);
  if (mask !== null) {
    throw new ToolFailed(
      `The content contains ${mask}, which masks a secret of ${shown} that you cannot see. Use Edit for the lines that change.`,
    );
  }
  return { path, old };
}

export const write = defineTool({
  name: 'Write',
  description:
    'Creates a file with the folders it needs, or replaces the whole content of one. Use Edit to change parts of a file.',
  schema: s.object({
    file_path: s.string({ min: 1 }).describe('Path of the file.'),
    content: s.string().describe('The whole content, written as it is. A byte-order mark of the old file stays.'),
  }),
  effect: 'write',
  target: ({ file_path }) => ({ kind: 'path', value: file_path }),
  async preview({ file_path, content }, context) {
    const { old } = await replaceFile(file_path, content, context);
    return { kind: 'diff', path: file_path, before: old?.text ?? null, after: content };
  },
  async run({ file_path, content }, context) {
    const { path, old } = await replaceFile(file_path, content, context);
    await context.snapshots.beforeWrite(path);
    // Read hides the mark, so the model cannot repeat it.
    const { text, byteOrderMark } = withoutMark(content);
    const file = { text, byteOrderMark: byteOrderMark || old?.byteOrderMark === true };
    context.files.note(path, await writeTextFile(path, file_path, file, old, context.editor));
    const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
    return {
      outcome: 'succeeded',
      content: `${file_path} was ${old === null ? 'created' : 'replaced'} (${lines} ${lines === 1 ? 'line' : 'lines'}).`,
      display: { kind: 'diff', path: file_path, before: old?.text ?? null, after: content },
    };
  },
});
