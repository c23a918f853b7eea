import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageRecord } from '@gateway/database/gateway';
import { codeOf } from '../configuration/reading.ts';
import { DETECTION_GROUP, type DetectionGroup } from '../secrets/recorded.ts';
import { openSpool, type Spool } from '../spool/spool.ts';
import { USAGE_RECORD } from '../usage/usage-record.ts';
import { StartupFault } from './fault.ts';

/** What could not be written to the database yet, by kind. */
export interface Spools {
  readonly usage: Spool<UsageRecord>;
  readonly detections: Spool<DetectionGroup>;
}

export function openSpools(directory: string): Spools {
  return {
    usage: openSpool(join(directory, 'usage'), USAGE_RECORD),
    detections: openSpool(join(directory, 'detections'), DETECTION_GROUP),
  };
}

/** The directory of what must outlive the process; the spools are below it. */
export function openStateDirectory(directory: string): Spools {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return openSpools(directory);
  } catch (error) {
    throw new StartupFault(`GATEWAY_STATE_DIR: ${directory} cannot be written (${codeOf(error)}).`);
  }
}
