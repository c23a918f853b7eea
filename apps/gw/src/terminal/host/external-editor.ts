import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Opens the user's editor on a text, in this terminal, and gives the text as it was saved. Null where no editor is
 * configured or it failed.
 * @param editor `VISUAL` or `EDITOR`: a program with its options, which the shell reads.
 */
export async function externalEditor(text: string, editor: string | null, cwd: string): Promise<string | null> {
  if (editor === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'gw-message-'));
  const file = join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { cwd, stdio: 'inherit' });
      child.once('error', reject).once('close', resolve);
    });
    return code === 0 ? await readFile(file, 'utf8') : null;
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
