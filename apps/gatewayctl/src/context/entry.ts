import type { Context } from './context.ts';

export const EXPIRES = [
  '--expires <instant>',
  'from when on the key is refused: 2027-01-31, or 2027-01-31T08:00:00Z',
] as const;

/**
 * Everything a command of the table may do: it is loaded when it is called, so that each starts quickly. `options` are what
 * commander read for the entry's flags; each command names their shape.
 */
type Run = (context: Context, args: readonly string[], options: never) => Promise<void>;

/** One command: its name, and its action. */
export interface Entry {
  /** Group and name, then the arguments as commander writes them. */
  readonly usage: string;
  readonly description: string;
  readonly options?: readonly (readonly [flags: string, description: string, fallback?: string])[];
  /** Options that must be given. */
  readonly required?: readonly (readonly [flags: string, description: string])[];
  readonly run: Run;
}

export const AUTHOR = ['--author <name>', 'the author, recorded with the change (default: user@machine)'] as const;
export const PUBLIC_KEY = ['--public-key <file>', 'verify with this key instead of the one of this build'] as const;
export const PRUNE = ['--prune', 'delete what the sections of the file do not list'] as const;
export const PROJECT = ['--project <name>', 'the project, for the role that has one'] as const;
export const PERIOD = [
  ['--from <instant>', 'from then on: 2027-01-31, or 2027-01-31T08:00:00Z'],
  ['--until <instant>', 'before then'],
] as const;
export const REASONED = [
  ['--author <name>', 'the author, recorded with the change'],
  ['--reason <text>', 'the reason, recorded with the change'],
] as const;

/** The names of a command: what comes before its arguments. */
export const namesOf = (usage: string): readonly string[] =>
  usage.split(' ').filter((word) => !word.startsWith('<') && !word.startsWith('['));
