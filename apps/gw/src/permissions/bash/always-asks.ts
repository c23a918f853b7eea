import { existsSync } from 'node:fs';
import { doesNotRunItsWords, useOf } from '../programs/table.ts';
import { nameOf, type Word } from '../programs/word.ts';
import { isWithin } from './resolved-path.ts';
import type { LocatedPath, ParsedLine, SimpleCommand } from './types.ts';

/** Programs that are looked for among the words of a program that may start them. */
const DESTROYERS = new Set(['git', 'rm', 'rmdir', 'unlink', 'shred', 'find', 'rsync']);

/**
 * Why a command always asks, even if a rule allows it: it removes more than the files that it names, removes files outside the
 * project, or destroys what git stores. Null if it does not.
 */
export function alwaysAsks(command: SimpleCommand): string | null {
  const removed = command.paths.filter(({ role }) => role === 'removes');
  if (
    removed.some(
      ({ resolved }) =>
        resolved === null || resolved.relative === null || /^(?:\*+|\.git(?:\/.*)?)?$/.test(resolved.relative),
    )
  ) {
    return 'It removes files outside the project, the whole project, or what git keeps.';
  }
  const discards = command.paths.some(
    ({ role, resolved }) => role === 'discards' && (resolved === null || existsSync(resolved.path)),
  );
  if (discards) return 'It discards changes of the work tree and cannot be undone.';
  const what = command.use.destroys ?? (doesNotRunItsWords(command.words) ? null : destroyedByWords(command.words));
  return what === null ? null : `${what}.`;
}

/** `some-wrapper git reset --hard`: of a program that is not known to start nothing, any word may be a program. */
function destroyedByWords(words: readonly Word[]): string | null {
  for (const [at, word] of words.entries()) {
    if (at === 0 || word.dynamic || !DESTROYERS.has(nameOf(word).toLowerCase())) continue;
    const { destroys } = useOf(words.slice(at));
    if (destroys !== null) return destroys;
  }
  return null;
}

/** The paths that words of an unknown program would remove if it started them. */
export function removedByWords(words: readonly Word[]): readonly LocatedPath[] {
  return words.flatMap((word, at) =>
    at > 0 && !word.dynamic && DESTROYERS.has(nameOf(word).toLowerCase())
      ? useOf(words.slice(at)).paths.flatMap((path) =>
          path.role === 'removes' && !path.word.dynamic ? [{ ...path, at: path.at + at, resolved: null }] : [],
        )
      : [],
  );
}

/**
 * Whether a line writes where gw keeps its configuration, approvals and record. A path that is not known before the line runs
 * counts if the line names that folder.
 */
export function writesBelow(folder: string | null, { source, commands }: ParsedLine): boolean {
  const named = source.replaceAll(/['"\\]/g, '').includes('.gateway');
  const leadsThere = (path: string | undefined, deep: boolean): boolean =>
    isWithin(folder, path) || (deep && folder !== null && path !== undefined && isWithin(path, folder));
  return commands.some(
    ({ redirections, paths, use }) =>
      redirections.some(({ effect, resolved }) =>
        effect !== 'write' ? false : resolved === null ? named : leadsThere(resolved.path, false),
      ) ||
      paths.some(({ role, resolved, deep }) =>
        role === 'reads' || role === 'lists'
          ? !use.known && use.acts && named && isWithin(folder, resolved?.path)
          : resolved === null
            ? named
            : leadsThere(resolved.path, deep),
      ),
  );
}

/** The same for a line of which parts cannot be judged: by its text alone. */
export function mayDestroy(line: ParsedLine): string | null {
  if (line.parsed && line.opaque.length === 0) return null;
  const text = line.source.replaceAll(/['"\\]/g, '');
  const destructive =
    /\bgit\b[\s\S]*\b(?:push\b[\s\S]*(?:-f|--f|\+|--d|--m|:)|reset\b[\s\S]*--h|clean\b|branch\b[\s\S]*-[dD]|filter-|rm\b)|\brm\b[\s\S]*(?:\.\.|\s\/|~|\$|\*|\s-\w*[rR]|--r)|\bfind\b[\s\S]*-(?:delete|exec)|\brsync\b[\s\S]*--(?:del|rem)/;
  return destructive.test(text) ? 'Parts of it cannot be judged, and it may destroy files or branches.' : null;
}
