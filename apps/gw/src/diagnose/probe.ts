import { randomBytes } from 'node:crypto';
import { createScanner, type Scanner } from '@gateway/secrets';
import { type Fault, type Position, positionIn } from '../configuration/position.ts';
import { FIXES, type Unread } from '../files/reading.ts';
import type { Context } from '../process/context.ts';
import { pluralize } from '../process/pluralize.ts';
import type { Redaction } from '../redaction/redaction.ts';

/** What a finding is about, the worst first: somebody could take or change what is not theirs; it does not work; it may be in the way. */
export const GRADES = ['security', 'fault', 'hint'] as const;

/** Something that is wrong, or will be in the way: what, where, and how to fix it. */
export interface Finding {
  readonly grade: (typeof GRADES)[number];
  readonly what: string;
  /** A file with line and column, a variable, a directory. */
  readonly where: string;
  readonly fix: string;
}

/** What the parts of the diagnosis share. */
export interface Probe extends Context {
  readonly redaction: Redaction;
  /** Adds a finding, a fault where no grade is given. */
  readonly find: (finding: Omit<Finding, 'grade'> & { readonly grade?: Finding['grade'] }) => void;
}

/** A line of the report: a label and its text. */
export type Line = readonly [label: string, text: string];

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

let scanner: Scanner | null = null;

/**
 * Finds what looks like a secret in a text of the user's, by line and kind, and leaves its value out of everything.
 * @param fix what to do about one.
 * @param known lines in which a secret was found already.
 */
export function findSecrets(
  probe: Probe,
  file: string,
  text: string,
  fix: string,
  known: ReadonlySet<number> = new Set(),
): void {
  scanner ??= createScanner({ key: randomBytes(32) });
  const lines = new Set(known);
  for (const { start, end, kind } of scanner.scanText(text)) {
    probe.redaction.withhold(text.slice(start, end));
    const { line, column }: Position = positionIn(text, start);
    if (lines.has(line)) continue;
    lines.add(line);
    probe.find({
      grade: 'security',
      what: probe.redaction.format`What looks like a secret (${kind}) is there in plain text.`,
      where: probe.redaction.format`${file}` + `:${line}:${column}`,
      fix,
    });
  }
}
