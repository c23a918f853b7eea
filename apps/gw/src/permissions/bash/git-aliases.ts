import { gitWords } from '../programs/git-changing.ts';
import { nameOf, type Word } from '../programs/program.ts';
import type { ParsedLine, SimpleCommand } from './types.ts';

/** Aliases of git by their names in small letters, as the user's and the repository's settings define them. */
export type GitAliases = ReadonlyMap<string, string>;

export function isGit({ words: [name] }: SimpleCommand): boolean {
  return name !== undefined && nameOf(name).toLowerCase() === 'git';
}

/** Whether a line has a command of git, whose aliases count then. */
export function hasGit({ commands }: ParsedLine): boolean {
  return commands.some(isGit);
}

/** The line that an alias expands to; null if the command uses none. */
export function aliasLine(command: SimpleCommand, aliases: GitAliases): string | null {
  if (aliases.size === 0 || !isGit(command)) return null;
  const { subcommand, behind } = gitWords(command.words.slice(1));
  const text = aliases.get(subcommand?.text.toLowerCase() ?? '');
  if (text === undefined) return null;
  return [text.startsWith('!') ? text.slice(1) : `git ${text}`, ...behind.map(quote)].join(' ');
}

/** The output of `git config -z --get-regexp ^alias\.`. */
export function readAliases(output: string): GitAliases {
  const entries = output.split('\0').map((entry) => /^alias\.([^\n]*)\n([\s\S]*)$/i.exec(entry));
  return new Map(
    entries.flatMap((found) => (found === null ? [] : [[(found[1] ?? '').toLowerCase(), found[2] ?? '']])),
  );
}

function quote({ text, dynamic, splits }: Word): string {
  return dynamic || splits ? '$unknown' : `'${text.replaceAll("'", "'\\''")}'`;
}
