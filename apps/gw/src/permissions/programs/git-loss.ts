import type { Word } from './word.ts';

/** What of the user's data a git command destroys so that git cannot bring it back; null where it does not. */
export function describeGitLoss(subcommand: Word | undefined, behind: readonly Word[]): string | null {
  if (subcommand === undefined) return null;
  if (subcommand.dynamic || subcommand.splits) return 'Which command of git it is is not known before it runs';
  const what = destroys(subcommand.text, behind);
  return what === null ? null : `${what} and cannot be undone`;
}

function destroys(subcommand: string, words: readonly Word[]): string | null {
  const texts = words.map(({ text }) => text);
  const unknown = words.some(({ dynamic }) => dynamic);
  const letters = texts.filter((text) => /^-[A-Za-z]+$/.test(text)).join('');
  const long = (...names: string[]): boolean =>
    texts.some(
      (text) =>
        text.length > 2 &&
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
      // In `-en` the letter is the value of another option.
      return !unknown && !letters.includes('e') && !long('--no-dry-run') && (letters.includes('n') || long('--dry-run'))
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
      return subcommand === 'checkout' && (texts.includes('--') || texts.includes('.') || namesFiles(texts))
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
    case 'fetch':
    case 'pull':
      return fetchesOver(subcommand, texts, letters, letters.includes('f') || long('--force'))
        ? 'It deletes or overwrites branches or tags'
        : null;
    case 'update-ref':
      return 'It deletes or overwrites branches or tags';
    case 'symbolic-ref':
      return letters.includes('d') || long('--delete') || texts.filter((text) => !text.startsWith('-')).length > 1
        ? 'It deletes or overwrites branches or tags'
        : null;
    case 'checkout-index':
      return letters.includes('f') || long('--force') ? 'It discards changes of the work tree' : null;
    case 'read-tree':
      return long('--reset') ? 'It discards changes of the work tree' : null;
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

/**
 * `git checkout HEAD~1 a.ts`: two operands are a commit and a file, unless a branch is made. One with the ending of a file is
 * probably a file.
 */
function namesFiles(texts: readonly string[]): boolean {
  const makesBranch = texts.some((text) => /^(?:-[A-Za-z]*[bBt]|--track|--orphan)/.test(text));
  const operands = texts.filter((text) => !text.startsWith('-'));
  return !makesBranch && (operands.length > 1 || operands.some((text) => /\.[A-Za-z]\w*$/.test(text)));
}

/** `git fetch origin +main:topic`, `git fetch -f --tags`, `git fetch -pP`: branches and tags of this repository change or go. */
function fetchesOver(subcommand: string, texts: readonly string[], letters: string, forced: boolean): boolean {
  const prunesTags = texts.some((text) => text.startsWith('--prune-')) || (subcommand === 'fetch' && /P/.test(letters));
  const renames = texts.some((text) => /^\+.*:/.test(text) || (forced && text.includes(':')));
  return prunesTags || renames || (forced && (letters.includes('t') || texts.some((text) => text.startsWith('--ta'))));
}
