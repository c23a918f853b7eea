import { type ToolContext, ToolFailed, type ToolResult } from '../agent/types/index.ts';
import { pluralize } from '../process/pluralize.ts';
import * as s from '../schema/index.ts';
import { defineTool, fileOf } from './define.ts';
import { foreignMask } from './edit.ts';
import { LINE_CHARACTERS, READ_CHARACTERS, READ_LINES } from './jobs.ts';
import { digestOf, readTextFile, readTextFileIfAny, type TextFile, withoutMark, writeTextFile } from './text-file.ts';

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

export const read = defineTool({
  name: 'Read',
  description: `Reads a text file, or shows a picture (PNG, JPEG, GIF, WebP). Each line begins with its number and a tab, which are not part of the file. At most ${READ_LINES} lines or ${READ_CHARACTERS} characters a call; offset and limit get the rest.`,
  schema: s.object({
    file_path: s.string({ min: 1 }).describe('Path of the file, relative to the project or absolute.'),
    offset: s.integer({ min: 1 }).optional().describe('First line to read, from 1.'),
    limit: s.integer({ min: 1 }).optional().describe(`Number of lines, at most ${READ_LINES}.`),
  }),
  effect: 'read',
  target: ({ file_path }) => ({ kind: 'path', value: file_path }),
  async run({ file_path, offset = 1, limit = READ_LINES }, context) {
    const path = await fileOf(file_path, context);
    if (PICTURE.test(path)) {
      const picture = await readPicture(path, file_path);
      if (picture !== null) return picture;
    }
    const { bytes, text } = await readTextFile(path, file_path, context.editor);
    context.files.note(path, bytes);
    const lines = text.split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    if (lines.length === 0) return { outcome: 'succeeded', content: `${file_path} is empty.` };
    if (offset > lines.length)
      return {
        outcome: 'failed',
        content: `${file_path} has ${pluralize(lines.length, 'line')}: there is no line ${offset}.`,
      };
    return { outcome: 'succeeded', content: numberLines(lines, offset, Math.min(limit, READ_LINES)) };
  },
});

const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i;

/** The picture of a file; null where its content is none, or it cannot be read. */
async function readPicture(path: string, shown: string): Promise<ToolResult | null> {
  const { pictureOf } = await import('../files/picture.ts');
  const picture = await pictureOf(path);
  if ('fault' in picture)
    return picture.fault.startsWith('It is no') ? null : { outcome: 'failed', content: `${shown}: ${picture.fault}` };
  const note = picture.note === null ? '' : ` It was ${picture.note}.`;
  return { outcome: 'succeeded', content: `The picture ${shown} follows.${note}`, images: [picture.url] };
}

function numberLines(lines: readonly string[], offset: number, limit: number): string {
  const out: string[] = [];
  let size = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const cut =
      line.length > LINE_CHARACTERS
        ? `${line.slice(0, LINE_CHARACTERS).toWellFormed()}… [${line.length - LINE_CHARACTERS} more characters in this line]`
        : line;
    size += cut.length + 8;
    if (size > READ_CHARACTERS && out.length > 0) break;
    out.push(`${offset + out.length}\t${cut}`);
  }
  const last = offset - 1 + out.length;
  const left = lines.length - last;
  const rest = left > 0 ? `\n[${left} more lines, up to line ${lines.length}: call Read with offset ${last + 1}]` : '';
  return out.join('\n') + rest;
}
