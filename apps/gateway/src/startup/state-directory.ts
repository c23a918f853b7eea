import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../configuration/reading.ts';
import { openSpool, type Spool } from '../usage/spool.ts';
import { StartupFault } from './fault.ts';

/** The directory of what must outlive the process; the spool of usage records is below it. */
export function openStateDirectory(directory: string): Spool {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return openSpool(join(directory, 'usage'));
  } catch (error) {
    throw new StartupFault(`GATEWAY_STATE_DIR: ${directory} cannot be written (${codeOf(error)}).`);
  }
}
