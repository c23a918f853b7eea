import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './reading.ts';

/**
 * Makes a folder with access only for its owner, and its missing parents. Not with `recursive`: where a file system allows no
 * folders and reports ENOENT (/proc), Node tries forever, and a start would hang without a message.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (!existsSync(above) && above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error; // another start was quicker
  }
}

/** Why a folder that is absent could not be made, as the system's code; null where nothing speaks against it. It makes nothing. */
export function absentFolderFault(folder: string): string | null {
  const above = dirname(folder);
  if (!existsSync(above) && above !== folder) return absentFolderFault(above);
  try {
    if (!statSync(above).isDirectory()) return 'ENOTDIR';
    accessSync(above, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return codeOf(error);
  }
}
