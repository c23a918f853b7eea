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
  if (known === null && old !== null) {
    throw new ToolFailed(`${shown} exists and was not read in this session. Read it before replacing it.`);
  }
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
    'Creates a file with the folders it needs, or replaces the whole content of one that was read before. Use Edit to change parts of a file.',
  schema: s.object({
    file_path: s.string({ min: 1 }).describe('Path of the file.'),
    content: s.string().describe('The whole content. Line ends and byte-order mark of the old file stay.'),
  }),
  effect: 'write',
  target: ({ file_path }) => ({ kind: 'path', value: file_path }),
  async preview({ file_path, content }, context) {
    const { old } = await replaceFile(file_path, content, context);
    return { kind: 'diff', path: file_path, before: old?.text ?? null, after: asBefore(content, old).text };
  },
  async run({ file_path, content }, context) {
    const { path, old } = await replaceFile(file_path, content, context);
    await context.snapshots.beforeWrite(path);
    const file = asBefore(content, old);
    context.files.note(path, await writeTextFile(path, file_path, file, old, context.editor));
    const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
    return {
      outcome: 'succeeded',
      content: `${file_path} was ${old === null ? 'created' : 'replaced'} (${lines} ${lines === 1 ? 'line' : 'lines'}).`,
      display: { kind: 'diff', path: file_path, before: old?.text ?? null, after: file.text },
    };
  },
});

/** The content with line ends and byte-order mark of the file that it replaces, whatever the model sent: it sees neither. */
function asBefore(content: string, old: TextFile | null): Pick<TextFile, 'text' | 'byteOrderMark'> {
  const { text, byteOrderMark } = withoutMark(content);
  if (old === null) return { text, byteOrderMark };
  const windows = old.text.split('\r\n').length - 1;
  const all = old.text.split('\n').length - 1;
  if (all === 0) return { text, byteOrderMark: old.byteOrderMark };
  const plain = text.replaceAll('\r\n', '\n');
  return { text: windows * 2 > all ? plain.replaceAll('\n', '\r\n') : plain, byteOrderMark: old.byteOrderMark };
}
