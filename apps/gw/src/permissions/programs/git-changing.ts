import { DIFF, GIT_READING, inTree } from './git-reading.ts';
import {
  type Given,
  has,
  type Item,
  literal,
  literalOf,
  nameOf,
  optionsOf,
  type Program,
  type UseBuilder,
  unknownWord,
  valuesOf,
  type Word,
} from './program.ts';

/** Paths of the work tree that a command writes. */
function writesPaths(given: Given, use: UseBuilder): void {
  const behind = given.operands.filter(({ at }) => at > given.dashes);
  for (const item of given.dashes < 0 ? given.operands : behind) use.path('writes', item, true);
}

/** The name of a remote repository; an address or a folder is somewhere else. */
function remotes({ operands }: Given, use: UseBuilder): void {
  const text = operands[0] === undefined ? '' : literalOf(operands[0]);
  if (operands[0] !== undefined && (text === null || /[:/\\]|^\.{1,2}$/.test(text))) use.beyond(operands[0].at);
}

const acts = (options: string, judge?: Program['judge']): Program => ({
  options,
  acts: true,
  inert: true,
  ...(judge === undefined ? {} : { judge }),
});
const STOPS = '--continue --abort --quit --skip';
const FETCHES = `-a,--all --append --depth: --deepen: --shallow-since: --unshallow --dry-run -f,--force -k,--keep -p,--prune -P,--prune-tags -n,--no-tags -t,--tags
  -j,--jobs: -q,--quiet -v,--verbose --progress -4,--ipv4 -6,--ipv6 --atomic --set-upstream --no-recurse-submodules --recurse-submodules? -o,--server-option:
  --upload-pack$ -u,--update-head-ok! --refmap!: --multiple! --filter: --write-fetch-head --no-write-fetch-head`;
const MERGES = `--commit --no-commit --ff --no-ff --ff-only --squash --no-squash -n,--no-stat --stat --log? --no-log -m,--message: --no-edit --autostash
  --no-autostash --allow-unrelated-histories --no-verify --verify-signatures --no-verify-signatures --no-gpg-sign --signoff --no-signoff -q,--quiet
  -v,--verbose --progress --no-progress -s!: --strategy!: -X,--strategy-option: -S,--gpg-sign!? -e,--edit! -F,--file!< --rerere-autoupdate
  --overwrite-ignore --into-name: ${STOPS}`;

export const GIT_CHANGING: Readonly<Record<string, Program>> = {
  add: acts(
    `-A,--all,--no-ignore-removal -u,--update -v,--verbose -n,--dry-run -f,--force -N,--intent-to-add --no-all --ignore-removal --refresh --renormalize
    --ignore-errors --ignore-missing --sparse --chmod: -i,--interactive! -p,--patch! -e,--edit! --pathspec-from-file!< --pathspec-file-nul`,
    inTree,
  ),
  commit: acts(
    `-m,--message: -a,--all -q,--quiet -v,--verbose --amend --no-edit --allow-empty --allow-empty-message -s,--signoff --no-signoff --author: --date:
    -C,--reuse-message: --fixup: --squash: -o,--only -i,--include --dry-run --short --branch --porcelain --long -z,--null --no-gpg-sign --trailer:
    --reset-author --status --no-status -u,--untracked-files? --cleanup: --no-post-rewrite -n,--no-verify -F,--file!< -t,--template!< -c,--reedit-message!:
    -p,--patch! -S,--gpg-sign!? -e,--edit! --interactive! --pathspec-from-file!<`,
    inTree,
  ),
  mv: acts('-f,--force -k -n,--dry-run -v,--verbose --sparse', writesPaths),
  rm: acts(
    '-f,--force -n,--dry-run -r --cached --ignore-unmatch --sparse -q,--quiet --pathspec-from-file!< --pathspec-file-nul',
    (given, use) => {
      for (const item of given.operands) use.path('removes', item, true);
      if (has(given, '-n')) return;
      const many = given.operands.some((item) => item.word.splits || /[*?[]|^:/.test(literalOf(item) ?? '*'));
      if (has(given, '-r', '--pathspec-from-file') || many) use.destroys = 'It removes files that it does not name';
    },
  ),
  restore: acts(
    `-s,--source: -W,--worktree -S,--staged -q,--quiet --progress --no-progress --ours --theirs -m,--merge --conflict: --ignore-unmerged --overlay --no-overlay
    -p,--patch! --pathspec-from-file!< --recurse-submodules`,
    writesPaths,
  ),
  checkout: acts(
    `-q,--quiet --progress --no-progress -f,--force --ours --theirs -b: -B: -t,--track? --no-track --guess --no-guess -l -d,--detach --orphan: -m,--merge
    --conflict: --overlay --no-overlay --ignore-skip-worktree-bits --no-recurse-submodules -p,--patch! --pathspec-from-file!< --recurse-submodules!`,
    (given, use) => {
      if (given.dashes >= 0 || given.operands.length > 1) writesPaths(given, use);
      else for (const item of given.operands) use.path('writes', item, true);
      const makes = has(given, '-b', '-B', '-t', '--orphan', '-d');
      const [operand, another] = given.operands;
      if (operand !== undefined && another === undefined && !makes) use.path('discards', operand);
    },
  ),
  switch: acts(
    '-c,--create: -C,--force-create: -d,--detach --guess --no-guess -f,--force --discard-changes -m,--merge --conflict: -q,--quiet --progress --no-progress -t,--track? --no-track --orphan: --ignore-other-worktrees',
  ),
  stash: {
    options: '-u,--include-untracked -a,--all -k,--keep-index -q,--quiet -m,--message: -S,--staged -p,--patch!',
    inert: true,
    judge({ end }, use, words) {
      if (!/^(?:list|show)$/.test(words[end]?.text ?? '')) use.acts = true;
    },
    subcommands: {
      list: { options: '--oneline --stat --date: --format: --pretty? -n,--max-count: -#', inert: true },
      show: { options: `${DIFF} -u,--include-untracked --only-untracked`, inert: true },
      'push save': acts(
        '-u,--include-untracked -a,--all -k,--keep-index --no-keep-index -q,--quiet -m,--message: -S,--staged -p,--patch! --pathspec-from-file!<',
      ),
      'pop apply branch drop clear create store': acts('--index -q,--quiet'),
    },
  },
  merge: acts(MERGES),
  rebase:
    acts(`--onto: --keep-base --root -q,--quiet -v,--verbose --stat -n,--no-stat --no-verify --verify --autostash --no-autostash --autosquash --no-autosquash
    --update-refs --no-update-refs -f,--force-rebase,--no-ff --fork-point --no-fork-point --committer-date-is-author-date --reset-author-date --signoff
    --no-gpg-sign -r,--rebase-merges? -m,--merge --empty: -X,--strategy-option: -x,--exec$ -i,--interactive! -S,--gpg-sign!? -s,--strategy!: -C: --whitespace:
    --edit-todo! --show-current-patch ${STOPS}`),
  'cherry-pick revert':
    acts(`-n,--no-commit -x -s,--signoff -m,--mainline: --ff --allow-empty --allow-empty-message --keep-redundant-commits --empty: --no-edit
    -X,--strategy-option: --no-gpg-sign -e,--edit! -S,--gpg-sign!? --strategy!: --reference ${STOPS}`),
  reset: acts(
    '-q,--quiet --soft --mixed --hard --merge --keep -N,--intent-to-add --refresh --no-refresh -p,--patch! --pathspec-from-file!<',
    inTree,
  ),
  clean: acts('-d -f,--force -n,--dry-run -q,--quiet -x -X -e,--exclude: -i,--interactive!', writesPaths),
  push: acts(
    `-u,--set-upstream --tags --follow-tags --no-follow-tags -n,--dry-run -q,--quiet -v,--verbose --progress --all,--branches --mirror -d,--delete --prune --porcelain
    -f,--force --force-with-lease? --force-if-includes --atomic --no-verify --thin --no-thin -4,--ipv4 -6,--ipv6 -o,--push-option: --signed!?
    --receive-pack,--exec$ --repo!: --recurse-submodules?`,
    remotes,
  ),
  fetch: acts(FETCHES, remotes),
  pull: acts(`${FETCHES} ${MERGES} -r,--rebase? --no-rebase`, remotes),
  'ls-remote': acts(
    '-h,--heads,--branches -t,--tags --refs -q,--quiet --exit-code --get-url --symref --sort: --upload-pack,--exec$ -o,--server-option:',
    remotes,
  ),
  clone: acts(
    `-v,--verbose -q,--quiet --progress -n,--no-checkout --bare --mirror -l,--local --no-hardlinks -s,--shared! --single-branch --no-single-branch --no-tags
    --depth: --shallow-since: --shallow-submodules -o,--origin: -b,--branch: --filter: -j,--jobs: --sparse -4,--ipv4 -6,--ipv6 --dissociate
    --recurse-submodules!? --recursive!? -u,--upload-pack$ -c,--config!: --template!~ --reference!~ --reference-if-able!~ --separate-git-dir!>`,
    ({ operands: [from, to] }, use) => {
      const text = from === undefined ? '' : literalOf(from);
      if (from !== undefined && (text === null || text.includes('::'))) use.beyond(from.at);
      if (from !== undefined && text !== null && !/^(?:[a-z]+:\/\/|[\w.-]+@?[\w.-]*:)/i.test(text))
        use.path('reads', from, true);
      use.path('writes', to ?? HERE, true);
    },
  ),
  init: acts(
    '-q,--quiet --bare -b,--initial-branch: --object-format: --template!~ --separate-git-dir!> --shared?',
    ({ operands }, use) => use.path('writes', operands[0] ?? HERE),
  ),
  worktree: {
    inert: true,
    subcommands: {
      list: { options: '--porcelain -v,--verbose -z', inert: true },
      add: acts(
        '-f,--force -d,--detach --checkout --no-checkout --lock --orphan -b: -B: -q,--quiet --track --no-track --guess-remote',
        ({ operands: [to] }, use) => {
          if (to !== undefined) use.path('writes', to, true);
        },
      ),
      'remove prune lock unlock move repair': acts('-f,--force -n,--dry-run -v,--verbose --expire: --reason:'),
    },
  },
  reflog: {
    inert: true,
    subcommands: {
      'show list exists': { options: '-# -n,--max-count: --date: --all --oneline --format:', inert: true },
      'expire delete': acts(
        '--expire: --expire-unreachable: --all --rewrite --updateref --stale-fix -n,--dry-run --verbose --single-worktree',
      ),
    },
  },
  difftool: {
    ...acts(
      `${DIFF} -x,--extcmd$ -t,--tool!: -y,--no-prompt --prompt -d,--dir-diff --cached,--staged -g,--gui! --no-index!`,
    ),
    beyond: true,
  },
  'mergetool bisect submodule': { ...acts('-q,--quiet -y,--no-prompt'), stops: true, beyond: true },
  archive: acts(
    '--format: -v,--verbose --prefix: --add-file!< -l,--list -0 -1 -9 --worktree-attributes -o,--output!> --remote!: --exec$',
    inTree,
  ),
  'filter-branch': {
    ...acts(`--tree-filter$ --index-filter$ --env-filter$ --msg-filter$ --commit-filter$ --parent-filter$ --tag-name-filter$ --subdirectory-filter$ --setup$
      -f,--force --prune-empty --original: -d!>`),
    beyond: true,
  },
  apply: acts(
    `--stat --numstat --summary --check -p: -R,--reverse -3,--3way --cached --index -N,--intent-to-add --reject -C: --whitespace: --ignore-whitespace
    --ignore-space-change --recount --allow-empty -v,--verbose -q,--quiet --include: --exclude: --unsafe-paths! --directory!: --build-fake-ancestor!>`,
    (given, use) => given.operands.forEach((item) => use.path('reads', item)),
  ),
};

const HERE: Item = { word: literal('.'), at: 0 };

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

/** Settings that change how git prints, and nothing else. */
const PRINTING =
  /^(?:(?:color|column|advice)\.|core\.(?:quotepath|abbrev)=|user\.(?:name|email)=|diff\.(?:algorithm|noprefix|mnemonicprefix|renames)=)/i;

export const GIT: Program = {
  names: 'git',
  options: `-C~ -c: --git-dir!~ --work-tree!~ --namespace!: --exec-path!? --config-env!: --super-prefix!: --attr-source!: --no-pager -P -p,--paginate
    --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-replace-objects --no-lazy-fetch
    --bare! -v,--version -h,--help! --html-path --man-path --info-path --no-advice`,
  subcommands: { ...GIT_READING, ...GIT_CHANGING },
  judge(given, use, words) {
    for (const [at, word] of words.entries()) {
      const line = /^ext::([\s\S]*)$/.exec(literalOf({ word }) ?? '')?.[1];
      if (line === undefined || at <= given.end) continue;
      use.lines.push({ text: line, dynamic: false, splits: false });
      use.beyond(at);
    }
    for (const item of valuesOf(given, '-c')) {
      if (PRINTING.test(literalOf(item) ?? '')) continue;
      use.acts = true;
      use.beyond(item.at);
    }
    use.destroys ??= describeGitLoss(words[given.end], words.slice(given.end + 1));
  },
};

/** The words of a git command: those before its subcommand, the subcommand, and those behind it. */
export function gitWords(words: readonly Word[]): {
  readonly before: readonly Word[];
  readonly subcommand: Word | undefined;
  readonly behind: readonly Word[];
} {
  const { end } = optionsOf(GIT, words, 0);
  return { before: words.slice(0, end), subcommand: words[end], behind: words.slice(end + 1) };
}

/** Whether a subcommand has an option whose value is a command: a word that is not known may be that option. */
export function startsByOption(subcommand: string): boolean {
  const [, program] =
    Object.entries(GIT.subcommands ?? {}).find(([names]) => names.split(' ').includes(subcommand)) ?? [];
  return /\$(?:\?|\s|$)/.test(program?.options ?? '');
}

/** The folder in which `git -C folder` works; null where it is the working directory. */
export function gitFolder([name, ...rest]: readonly Word[]): Word | null {
  if (name === undefined || name.dynamic || nameOf(name).toLowerCase() !== 'git') return null;
  const folders = valuesOf(optionsOf(GIT, rest, 0), '-C');
  const texts = folders.map(literalOf);
  if (folders.length === 0) return null;
  if (texts.some((text) => text === null)) return unknownWord(false);
  return literal(texts.reduce<string>((one, text) => (text?.startsWith('/') === true ? text : `${one}/${text}`), '.'));
}
