import { accessSync, constants, existsSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { absentFolderFault, codeOf, makeFolder } from '@gateway/configuration';
import { usageLine } from '@gateway/domain/usage/gateway';
import { type UsageRecord, usageRecord } from '@gateway/domain/usage/shape';
import { type Report, StartupFault } from '../process/report.ts';
import { DETECTION_GROUP, type DetectionGroup } from './detections.ts';
import { type LineForm, openSpool, type Spool } from './spool.ts';

const USABLE = constants.R_OK | constants.W_OK | constants.X_OK;

/** Records that are not in the database yet, by kind. */
export interface Spools {
  readonly usage: Spool<UsageRecord>;
  readonly detections: Spool<DetectionGroup>;
}

export function openSpools(directory: string, report: Report): Spools {
  const setAside = (path: string): void => report(`GATEWAY_STATE_DIR: ${path} contains no record and was set aside.`);
  return {
    usage: openSpool(join(directory, 'usage'), USAGE_RECORD, setAside),
    detections: openSpool(join(directory, 'detections'), DETECTION_GROUP, setAside),
  };
}

/** The directory of what must outlive the process; the spools are below it. */
export function openStateDirectory(directory: string, report: Report): Spools {
  try {
    makeFolder(directory);
    accessSync(directory, USABLE);
    return openSpools(directory, report);
  } catch (error) {
    throw new StartupFault(unusable(directory, codeOf(error)));
  }
}

/** Why the existing directory cannot be used, or none can be made; null where it can. */
export function stateDirectoryFault(directory: string): string | null {
  if (!existsSync(directory)) {
    const code = absentFolderFault(directory);
    return code === null ? null : unusable(directory, code);
  }
  try {
    opendirSync(directory).closeSync();
    accessSync(directory, USABLE);
    return null;
  } catch (error) {
    return unusable(directory, codeOf(error));
  }
}

function unusable(directory: string, code: string): string {
  return `GATEWAY_STATE_DIR: ${directory} cannot be written (${code}).`;
}

/** A usage record as the spool keeps it. */
export const USAGE_RECORD: LineForm<UsageRecord> = { shape: usageRecord, lineOf: usageLine };
