import { type Given, has, type Item, literalOf, type Program, partOf, type UseBuilder } from './program.ts';

export const DIFF = `-p,-u,--patch -s,--no-patch -U,--unified: --raw --stat? --numstat --shortstat --dirstat? -X? --summary --name-only --name-status
  --color? --no-color --word-diff? --word-diff-regex: --color-words? --color-moved? --no-color-moved --check --full-index --binary --abbrev?
  -M,--find-renames? -C,--find-copies? -B,--break-rewrites? -D,--irreversible-delete --no-renames --diff-filter: -S: -G: --pickaxe-all
  --pickaxe-regex -R -a,--text -b,--ignore-space-change -w,--ignore-all-space --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines
  -I,--ignore-matching-lines: --inter-hunk-context: -W,--function-context --no-ext-diff --no-textconv --ignore-submodules? --src-prefix:
  --dst-prefix: --no-prefix --default-prefix --line-prefix: --patience --histogram --minimal --diff-algorithm: --anchored: --exit-code
  --quiet -z --relative? --no-relative --submodule? -l: --patch-with-stat --patch-with-raw --compact-summary --cumulative
  --ws-error-highlight: --stat-width: --stat-name-width: --stat-count: --ita-invisible-in-index --rotate-to: --skip-to: --find-copies-harder
  -O!< --output!> --output-indicator-new: --output-indicator-old: --output-indicator-context: --ext-diff! --textconv!`;
const LOG = `${DIFF} -# --oneline --graph --no-graph --decorate? --no-decorate --decorate-refs: --all --branches? --tags? --remotes? --glob: --exclude:
  -n,--max-count: --skip: --since,--after: --until,--before: --author: --committer: --grep: --grep-reflog: --all-match --invert-grep
  -i,--regexp-ignore-case -E,--extended-regexp -F,--fixed-strings -P,--perl-regexp --basic-regexp --merges --no-merges --first-parent
  --reverse --date: --pretty? --format: --follow --full-history --simplify-merges --simplify-by-decoration --sparse --dense --topo-order
  --date-order --author-date-order --abbrev-commit --no-abbrev-commit --parents --children --left-right --left-only --right-only
  --cherry-pick --cherry-mark --cherry --boundary --source --use-mailmap --mailmap --no-mailmap --notes? --no-notes --relative-date
  -g,--walk-reflogs -L: --ancestry-path? --count --max-parents: --min-parents: -m -c --cc --no-diff-merges --diff-merges: --log-size
  --encoding: --expand-tabs? --no-expand-tabs --no-walk? --do-walk --objects --not --show-pulls --timestamp --full-diff --merge
  --show-signature! --remerge-diff! --stdin --quiet --disk-usage? --header --bisect --reflog --root -r -t --show-linear-break?`;
const LIST = `--contains: --no-contains: --merged? --no-merged? --sort: --format: --column? --no-column --color? --no-color --points-at: -i,--ignore-case
  --abbrev? --no-abbrev --omit-empty`;

/** Names of commits and paths: `HEAD:.env`, `:(top)a.txt`, `a.txt`. Each may be a path. */
export function inTree(given: Given, use: UseBuilder): void {
  for (const item of given.operands) trees(item, use);
}

function trees(item: Item, use: UseBuilder): void {
  const text = literalOf(item);
  use.path('reads', item, true);
  const from = text === null ? -1 : Math.max(text.lastIndexOf(':'), text.startsWith(':(') ? text.indexOf(')') : -1);
  if (from >= 0 && !/^\w+:\/\//.test(text ?? ''))
    use.path(
      'reads',
      { at: item.at, word: partOf(item.word, (all) => all.slice(from + 1).replace(/^[!^/]+(?=.)/, '')) },
      true,
    );
}

const shows = (options: string, more: Partial<Program> = {}): Program => ({
  options,
  inert: true,
  judge: inTree,
  ...more,
});
const tells = (options: string): Program => ({ options, inert: true });

export const GIT_READING: Readonly<Record<string, Program>> = {
  status:
    shows(`-s,--short -b,--branch --show-stash --porcelain? --long -v,--verbose -u,--untracked-files? --ignored? --ignore-submodules? -z --column?
    --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?`),
  'log whatchanged': shows(LOG),
  show: shows(`${LOG} --textconv!`),
  'diff diff-tree diff-index diff-files':
    shows(`${DIFF} --cached,--staged --merge-base --no-index! -1,--base -2,--ours -3,--theirs -0 -c --cc --combined-all-paths
    -r -t --root --no-commit-id -m -v --pretty? --stdin -q --format:`),
  'range-diff': shows(`${DIFF} --creation-factor: --no-dual-color --left-only --right-only`),
  shortlog: shows(`${LOG} -s,--summary -n,--numbered -e,--email -c,--committer --group: -w?`),
  'blame annotate':
    shows(`-L: -l -t -w -e,--show-email -p,--porcelain -s -n,--show-number -f,--show-name -M? -C? -b -c --root --show-stats --line-porcelain
    --incremental --since: --date: --encoding: --reverse --first-parent --color-lines --color-by-age --abbrev: --ignore-rev: --progress --no-progress
    --contents!< -S!< --ignore-revs-file!<`),
  grep: shows(
    `-n,--line-number -i,--ignore-case -l,--files-with-matches,--name-only -L,--files-without-match -c,--count -w,--word-regexp -v,--invert-match
    -E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -h -H -o,--only-matching -q,--quiet -I -a,--text -A,--after-context:
    -B,--before-context: -C,--context: -e: --and --or --not --all-match -p,--show-function -W,--function-context --break --heading --cached
    --untracked -r,--recursive --no-recursive --color? --no-color --max-depth: -m,--max-count: --threads: -z,--null --column --full-name
    --exclude-standard --no-exclude-standard -# -f!< -O,--open-files-in-pager$? --no-index! --ext-grep! --textconv! --recurse-submodules`,
    {
      judge(given, use) {
        const pattern = has(given, '-e', '-f') ? 0 : 1;
        for (const item of given.operands.slice(pattern)) trees(item, use);
      },
    },
  ),
  'ls-files':
    shows(`-c,--cached -d,--deleted -m,--modified -o,--others -i,--ignored -s,--stage -u,--unmerged -k,--killed -t -v -f -z -x,--exclude:
    -X,--exclude-from!< --exclude-per-directory!: --exclude-standard --directory --no-empty-directory --full-name --error-unmatch --abbrev? --eol
    --deduplicate --format: --debug --resolve-undo --recurse-submodules --with-tree:`),
  'ls-tree': shows(
    '-r -d -t -l,--long -z --name-only,--name-status --object-only --full-name --full-tree --abbrev? --format:',
  ),
  'cat-file': shows(
    '-p -t -s -e --batch? --batch-check? --batch-command? --batch-all-objects --unordered --buffer --follow-symlinks --allow-unknown-type -Z -z --textconv! --filters! --path:',
  ),
  'rev-list': shows(LOG),
  'rev-parse': { harmless: true, inert: true, judge: inTree },
  'merge-base': tells('-a,--all --is-ancestor --fork-point --octopus --independent'),
  describe: tells(
    '--all --tags --contains --abbrev? --candidates: --exact-match --debug --long --match: --exclude: --always --first-parent --dirty? --broken?',
  ),
  'name-rev': tells('--tags --refs: --exclude: --all --annotate-stdin --name-only --no-undefined --always'),
  'for-each-ref': tells(`${LIST} --count: -s --shell -p --perl --python --tcl --stdin`),
  'show-ref': tells(
    '--head --heads,--branches --tags -d,--dereference -s,--hash? --verify --abbrev? -q,--quiet --exclude-existing? --exists',
  ),
  'show-branch': tells(
    '-r,--remotes -a,--all --current --topo-order --date-order --sparse --more: --list --merge-base --independent --no-name --sha1-name --topics -g,--reflog? --color? --no-color',
  ),
  'count-objects': tells('-v,--verbose -H,--human-readable'),
  'version var check-ref-format': tells('--build-options -l --branch --normalize --allow-onelevel'),
  'check-ignore check-attr check-mailmap': {
    options: '-q,--quiet -v,--verbose --stdin -z -n,--non-matching --no-index -a,--all --cached',
    inert: true,
    operands: 'lists',
  },
  cherry: tells('-v --abbrev?'),
  branch: {
    options: `${LIST} -a,--all -r,--remotes -v,--verbose -l,--list --show-current -q,--quiet -t,--track?* --no-track* -d,--delete* -D* -m,--move* -M* -c,--copy*
      -C* -f,--force* -u,--set-upstream-to:* --unset-upstream* --edit-description!* --create-reflog* --recurse-submodules*`,
    inert: true,
    judge(given, use) {
      if (
        given.operands.length > 0 &&
        !has(given, '-l', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at')
      )
        use.acts = true;
    },
  },
  tag: {
    options: `${LIST} -l,--list -n? -a,--annotate* -m,--message:* -d,--delete* -f,--force* -s,--sign!* -u,--local-user!:* -v,--verify!* -F,--file!<* --create-reflog* -e,--edit!*
      --cleanup:* --trailer:* --no-sign*`,
    inert: true,
    judge(given, use) {
      if (
        given.operands.length > 0 &&
        !has(given, '-l', '-n', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at')
      )
        use.acts = true;
    },
  },
  remote: {
    options: '-v,--verbose',
    inert: true,
    subcommands: {
      'get-url': tells('--push --all'),
      // From here on, they reach the network or change addresses.
      'show update prune': { options: '-n -p,--prune --dry-run', acts: true, inert: true },
      'rename remove rm set-head set-branches': {
        options: '-a,--auto -d,--delete --add --progress --no-progress',
        acts: true,
        inert: true,
      },
    },
  },
  config: {
    options: `--get --get-all --get-regexp --get-urlmatch -l,--list --name-only --show-origin --show-scope --local --global --system --worktree -z,--null --type:
      --bool --int --bool-or-int --path --expiry-date --includes --no-includes --default: --get-color --get-colorbool --all --regexp --value: --url:
      -f,--file!< --blob!: --add!* --replace-all!* --unset!* --unset-all!* --rename-section!* --remove-section!* -e,--edit!*`,
    inert: true,
    judge(given, use) {
      const reads = has(
        given,
        '--get',
        '--get-all',
        '--get-regexp',
        '--get-urlmatch',
        '-l',
        '--get-color',
        '--get-colorbool',
      );
      const [first, second] = given.operands;
      if (
        reads ||
        (first !== undefined && /^(?:get|list)$/.test(literalOf(first) ?? '')) ||
        (second === undefined && first !== undefined)
      )
        return;
      use.acts = true;
      for (const item of given.operands) use.beyond(item.at);
    },
  },
};
