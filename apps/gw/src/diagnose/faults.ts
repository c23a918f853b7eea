import type { Fault } from '../configuration/position.ts';
import { FIXES, type Unread } from '../files/reading.ts';
import { pluralize } from '../process/pluralize.ts';
import type { Probe } from './probe.ts';

/** Faults of a text that are reported one by one; a text with more is not of the kind that was looked for. */
const SHOWN = 20;

/** Reports the faults of a text as findings. */
export function reportFaults({ redaction, find }: Probe, file: string, faults: readonly Fault[]): void {
  const shown = redaction.format`${file}`;
  for (const { path, message, fix, line, column } of faults.slice(0, SHOWN)) {
    find({
      what: path === null ? message : `${subjectOf(path, redaction.name)} ${message}.`,
      where: `${shown}:${line}:${column}`,
      fix,
    });
  }
  if (faults.length > SHOWN) {
    find({
      what: `More is wrong: ${pluralize(faults.length - SHOWN, 'fault')}.`,
      where: shown,
      fix: 'Correct the first ones.',
    });
  }
}

/** Reports that something could not be read, and what to do about it. */
export function reportUnread({ redaction, find }: Probe, what: string, path: string, state: Unread): void {
  find({ what: `${what} cannot be read: ${state}.`, where: redaction.format`${path}`, fix: FIXES[state] });
}

/** A member as people write it: `models[0].name`. */
function subjectOf(path: readonly (string | number)[], name: (text: string) => string): string {
  if (path.length === 0) return 'The file';
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${name(step)}`))
    .join('');
}
