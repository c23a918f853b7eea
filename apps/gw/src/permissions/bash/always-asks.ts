import type { ParsedLine, SimpleCommand, Word } from './types.ts';
import { nameOf } from './wrappers.ts';

/** Options of git before its subcommand that take the next word. */
const GIT_VALUES = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
  '--super-prefix',
]);

/**
 * Why a command always asks, whatever allows it: it destroys what git keeps, or removes files outside the project.
 * Null where it does not.
 */
export function alwaysAsks(command: SimpleCommand): string | null {
  if (command.removes.some((place) => place === null || place.relative === null || place.relative === '')) {
    return 'It removes files outside the project, or the whole project.';
  }
  const [name, ...rest] = command.words;
  if (name === undefined || name.dynamic || nameOf(name).toLowerCase() !== 'git') return null;
  let at = 0;
  while (at < rest.length && (rest[at]?.text.startsWith('-') ?? false))
    at += GIT_VALUES.has(rest[at]?.text ?? '') ? 2 : 1;
  const subcommand = rest[at];
  if (subcommand === undefined) return null;
  if (subcommand.dynamic) return 'Which command of git it is is not known before it runs.';
  const what = destroys(subcommand.text, rest.slice(at + 1));
  return what === null ? null : `${what} and cannot be undone.`;
}

function destroys(subcommand: string, words: readonly Word[]): string | null {
  const texts = words.map(({ text }) => text);
  const unknown = words.some(({ dynamic }) => dynamic);
  const letters = texts.filter((text) => /^-[A-Za-z]+$/.test(text)).join('');
  const long = (...names: string[]): boolean =>
    texts.some(
      (text) =>
        text.length > 3 &&
        names.some((name) => text.split('=', 1)[0] === name || (text.startsWith('--') && name.startsWith(text))),
    );
  switch (subcommand) {
    case 'push':
      if (
        letters.includes('f') ||
        letters.includes('d') ||
        long('--force', '--force-with-lease', '--force-if-includes', '--mirror', '--delete', '--prune')
      )
        return 'It overwrites or deletes branches of a remote repository';
      if (texts.some((text) => /^[+:]./.test(text))) return 'It overwrites or deletes branches of a remote repository';
      return unknown ? 'It may overwrite branches of a remote repository' : null;
    case 'reset':
      return unknown || long('--hard', '--merge', '--keep') ? 'It discards changes of the work tree' : null;
    case 'clean':
      return !unknown && (letters.includes('n') || long('--dry-run'))
        ? null
        : 'It deletes files that git does not know';
    case 'branch':
      return unknown || /[dDM]/.test(letters) || long('--delete', '--force') || letters.includes('f')
        ? 'It deletes or overwrites branches'
        : null;
    case 'tag':
      return unknown || /[df]/.test(letters) || long('--delete', '--force') ? 'It deletes or overwrites tags' : null;
    case 'checkout':
    case 'switch':
      if (letters.includes('f') || /[BC]/.test(letters) || long('--force', '--discard-changes'))
        return 'It discards changes of the work tree';
      return subcommand === 'checkout' && (texts.includes('--') || texts.includes('.'))
        ? 'It discards changes of the work tree'
        : null;
    case 'restore':
      return long('--staged') && !long('--worktree') && !letters.includes('W')
        ? null
        : 'It discards changes of the work tree';
    case 'stash':
      return texts.includes('drop') || texts.includes('clear') ? 'It deletes what was put aside' : null;
    case 'reflog':
      return texts.includes('expire') || texts.includes('delete') ? 'It deletes what git needs to undo things' : null;
    case 'worktree':
      return texts.includes('remove') ? 'It deletes a work tree' : null;
    case 'update-ref':
      return letters.includes('d') ? 'It deletes branches or tags' : null;
    case 'filter-branch':
    case 'filter-repo':
      return 'It rewrites the history';
    case 'gc':
    case 'prune':
      return subcommand === 'prune' || long('--prune') ? 'It deletes objects of the repository' : null;
    default:
      return null;
  }
}

/** The same for a line of which parts cannot be judged: by its text alone. */
export function mayDestroy(line: ParsedLine): string | null {
  if (line.parsed && line.opaque.length === 0) return null;
  const text = line.source.replaceAll(/['"\\]/g, '');
  const destructive =
    /\bgit\b[\s\S]*\b(?:push\b[\s\S]*(?:-f|--f|\+|--d|--m|:)|reset\b[\s\S]*--h|clean\b|branch\b[\s\S]*-[dD]|filter-)|\brm\b[\s\S]*(?:\.\.|\s\/|~|\$)/;
  return destructive.test(text) ? 'Parts of it cannot be judged, and it may destroy files or branches.' : null;
}
