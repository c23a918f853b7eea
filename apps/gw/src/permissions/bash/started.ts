import { useOf } from '../programs/table.ts';
import type { Word } from '../programs/word.ts';
import type { SimpleCommand } from './types.ts';

/** What a command starts: other commands, lines of shell text, and what of that is not known. */
export interface Started {
  readonly commands: readonly SimpleCommand[];
  readonly lines: readonly string[];
  readonly opaque: readonly string[];
  readonly transparent: boolean;
}

export const NOTHING: Started = { commands: [], lines: [], opaque: [], transparent: false };
export const unknown = (why: string): Started => ({ ...NOTHING, opaque: [why] });

/** Whether a path is that of the input, of an open file or of another process. */
export function isDevice(path: string): boolean {
  return /^\/(?:dev|proc)\//.test(path);
}

export function inner(
  outer: SimpleCommand,
  words: readonly Word[],
  assignments: readonly string[] = [],
): SimpleCommand {
  const source = words.map((word) => (word.dynamic ? '…' : word.text)).join(' ');
  return {
    source,
    words,
    assignments: [...outer.assignments, ...assignments],
    redirections: [],
    input: [],
    transparent: false,
    use: useOf(words),
    paths: [],
  };
}

/** Words that a shell joins and runs. */
export function startedByText(words: readonly Word[]): Started {
  if (words.some(({ dynamic, splits }) => dynamic || splits))
    return unknown('The text of a command is not known before the line runs.');
  return words.length === 0 ? NOTHING : { ...NOTHING, lines: [words.map(({ text }) => text).join(' ')] };
}
