import type { ToolResult } from '../agent/types.ts';
import { pluralize } from '../process/pluralize.ts';
import * as s from '../schema/index.ts';
import { defineTool, fileOf } from './definition/define.ts';
import { LINE_CHARACTERS, READ_CHARACTERS, READ_LINES } from './definition/limits.ts';
import { readTextFile } from './files/text-file.ts';

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
  const { pictureOf } = await import('../pictures/picture.ts');
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
