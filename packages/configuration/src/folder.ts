import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './reading.ts';

/**
 * Makes a folder for its owner alone, and those above it, where they are absent. Not with `recursive`: Node tries for ever where a
 * file system lets nobody make anything and says that there is no such folder (/proc), and a start would never say why it hangs.
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
