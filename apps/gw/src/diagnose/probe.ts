import type { Context } from '../process/context.ts';
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
