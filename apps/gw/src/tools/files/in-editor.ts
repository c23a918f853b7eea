import type { EditorFiles } from '../../agent/types.ts';
import type { TextFile } from './text.ts';

/** A message of the editor's protocol must contain the text; larger files are read and written on the disk. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * The file as the editor shows it, with unsaved changes. A file with a byte order mark is used from the disk: editors hide the
 * mark, so it would be lost.
 */
export async function fromEditor(file: TextFile, path: string, editor: EditorFiles | undefined): Promise<TextFile> {
  if (editor === undefined || file.byteOrderMark || file.text.length > MOST_CHARACTERS) return file;
  const shown = await editor.read(path);
  if (shown === null) return file;
  // Editors may show Windows line ends as plain ones.
  const text = file.text.includes('\r\n') && !shown.includes('\r\n') ? shown.replaceAll('\n', '\r\n') : shown;
  return text === file.text ? file : { bytes: Buffer.from(text), text, byteOrderMark: false };
}

/** False where the editor is not to write the file, or does not take it. */
export async function toEditor(
  { text, byteOrderMark }: Pick<TextFile, 'text' | 'byteOrderMark'>,
  path: string,
  editor: EditorFiles | undefined,
): Promise<boolean> {
  if (editor === undefined || byteOrderMark || text.length > MOST_CHARACTERS) return false;
  return editor.write(path, text);
}
