import type { Context } from '../context.ts';
import type { Redaction } from '../redaction/redaction.ts';

/** Something that is wrong, or will be in the way: what, where, and how to mend it. */
export interface Finding {
  readonly what: string;
  /** A file with line and column, a variable, a directory. */
  readonly where: string;
  readonly mend: string;
}

/** What the parts of the diagnosis share. */
export interface Probe extends Context {
  readonly redaction: Redaction;
  /** Adds a finding. Findings are shown in the order in which they are made. */
  readonly find: (finding: Finding) => void;
}

/** A line of the report: a label and what is said of it. */
export type Line = readonly [label: string, text: string];
