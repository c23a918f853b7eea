import type { Given } from './options.ts';
import { has, type Program, type UseBuilder } from './program.ts';
import { literalOf } from './word.ts';

/** Programs that read files and print. `harmless`: no other option of theirs writes or starts anything. */
export const READING: readonly Program[] = [
  // Whatever is no option counts as a file, values too: of most it does not matter.
  {
    names: `cat tac nl rev fold fmt expand unexpand paste join comm cmp column pr base64 base32 basenc strings hexdump od zcat bzcat
      xzcat zstdcat`,
    operands: 'reads',
    harmless: true,
    inert: true,
  },
  {
    names: 'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum',
    options: '-c,--check!',
    operands: 'reads',
    harmless: true,
    inert: true,
  },
  {
    names: 'head tail',
    options: '-n,--lines: -c,--bytes: -s,--sleep-interval: --pid: --max-unchanged-stats: -#',
    operands: 'reads',
    harmless: true,
    inert: true,
  },
  {
    names: 'cut',
    options: '-b,--bytes: -c,--characters: -d,--delimiter: -f,--fields: --output-delimiter:',
    operands: 'reads',
    harmless: true,
    inert: true,
  },
  { names: 'wc', options: '--total: --files0-from!<', operands: 'reads', harmless: true, inert: true },
  { names: 'tr', harmless: true, inert: true },
  {
    names: 'grep egrep fgrep zgrep',
    options: `-e,--regexp: -f,--file< -A,--after-context: -B,--before-context: -C,--context: -m,--max-count: -d,--directories:
      -D,--devices: --include: --exclude: --exclude-dir: --exclude-from< --label: --color? --colour? --binary-files: --group-separator:
      -r,--recursive -R,--dereference-recursive! -#`,
    harmless: true,
    inert: true,
    judge(given, use) {
      const patterns = has(given, '-e', '-f') ? 0 : 1;
      const deep = has(given, '-r', '-R', '-d');
      for (const item of given.operands.slice(patterns)) use.path('reads', item, deep);
      if (deep && given.operands.length <= patterns) use.path('reads', HERE, true);
    },
  },
  {
    names: 'rg',
    options: `-e,--regexp: -f,--file< -A,--after-context: -B,--before-context: -C,--context: -m,--max-count: -g,--glob: --iglob: -t,--type:
      -T,--type-not: -d,--max-depth,--maxdepth: -M,--max-columns: -r,--replace: -E,--encoding: --color: --colors: --sort: --sortr: --engine:
      --ignore-file< --path-separator: --max-filesize: -j,--threads: --type-add: --type-clear: --context-separator: --pre$ --pre-glob!:
      --hostname-bin$ -z,--search-zip! -L,--follow! -i,--ignore-case -S,--smart-case -s,--case-sensitive -v,--invert-match -w,--word-regexp
      -x,--line-regexp -n,--line-number -N,--no-line-number -H,--with-filename -I,--no-filename -l,--files-with-matches
      --files-without-match -c,--count --count-matches -o,--only-matching -F,--fixed-strings -P,--pcre2 -U,--multiline
      --multiline-dotall -u,--unrestricted -.,--hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-global
      -p,--pretty --heading --no-heading -q,--quiet --files --type-list --json --vimgrep --column -b,--byte-offset --stats --trim
      -0,--null --null-data --crlf -a,--text --no-messages --no-config --passthru --one-file-system --block-buffered --line-buffered
      --no-mmap --mmap -V,--version --max-columns-preview --glob-case-insensitive`,
    inert: true,
    judge(given, use) {
      const patterns = has(given, '-e', '-f', '--files', '--type-list') ? 0 : 1;
      for (const item of given.operands.slice(patterns)) use.path('reads', item, true);
      if (given.operands.length <= patterns) use.path('reads', HERE, true);
    },
  },
  {
    names: 'sort',
    options: `-b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort -i,--ignore-nonprinting
      -M,--month-sort -h,--human-numeric-sort -n,--numeric-sort -R,--random-sort -r,--reverse -V,--version-sort -c,--check? -C
      -k,--key: -m,--merge -s,--stable -t,--field-separator: -u,--unique -z,--zero-terminated -S,--buffer-size: --parallel:
      --batch-size: --sort: --debug --random-source< --files0-from!< -o,--output!> -T,--temporary-directory!> --compress-program$`,
    operands: 'reads',
    inert: true,
  },
  {
    names: 'uniq',
    options: `-c,--count -d,--repeated -D,--all-repeated? --group? -f,--skip-fields: -i,--ignore-case -s,--skip-chars: -u,--unique
      -z,--zero-terminated -w,--check-chars:`,
    inert: true,
    judge: secondIsWritten,
  },
  {
    names: 'xxd',
    options: `-a,-autoskip -b,-bits -C,-capitalize -c,-cols: -E,-EBCDIC -e -g,-groupsize: -i,-include -l,-len: -n,-name: -o: -p,-ps,-plain,-postscript
      -r,-revert -d -s,-seek: -u -v -R:`,
    single: true,
    inert: true,
    judge: secondIsWritten,
  },
  {
    names: 'diff colordiff',
    options: `-q,--brief -s,--report-identical-files -c -C,--context? -u -U,--unified? -e,--ed -n,--rcs -y,--side-by-side -W,--width:
      --left-column --suppress-common-lines -p,--show-c-function -F,--show-function-line: --label: -t,--expand-tabs -T,--initial-tab
      --tabsize: --suppress-blank-empty -i,--ignore-case -E,--ignore-tab-expansion -Z,--ignore-trailing-space -b,--ignore-space-change
      -w,--ignore-all-space -B,--ignore-blank-lines -I,--ignore-matching-lines: -a,--text --strip-trailing-cr -d,--minimal
      --horizon-lines: --speed-large-files --color? --palette: --from-file< --to-file< -N,--new-file --no-dereference --normal
      -r,--recursive! -x,--exclude: -X,--exclude-from< -S,--starting-file:`,
    operands: 'reads',
    inert: true,
  },
  {
    names: 'less more most',
    options: `-E,--QUIT-AT-EOF -F,--quit-if-one-screen -G,--HILITE-SEARCH -I,--IGNORE-CASE -i,--ignore-case -J,--status-column
      -M,--LONG-PROMPT -m,--long-prompt -N,--LINE-NUMBERS -n,--line-numbers -Q,--QUIET -q,--quiet -R,--RAW-CONTROL-CHARS
      -r,--raw-control-chars -S,--chop-long-lines -s,--squeeze-blank-lines -X,--no-init -e,--quit-at-eof -f,--force -g,--hilite-search
      -p,--pattern: -x,--tabs: -o,-O,--log-file,--LOG-FILE!> -k,--lesskey-file!< -t,--tag!: -T,--tag-file!<`,
    operands: 'reads',
  },
  {
    names: 'man',
    options:
      '-k,--apropos -f,--whatis -w,--where -a,--all -P,--pager$ -H!? -C,--config-file!< -l,--local-file! -M,--manpath!~',
    acts: true,
  },
  {
    names: 'jq jaq',
    options: `-n,--null-input -r,--raw-output -R,--raw-input -s,--slurp -c,--compact-output -C,--color-output -M,--monochrome-output
      -a,--ascii-output -S,--sort-keys -e,--exit-status -j,--join-output --tab --indent: --stream --seq --unbuffered -V,--version
      --arg: --argjson: --slurpfile: --rawfile: --args --jsonargs -f,--from-file!< -L!<`,
    inert: true,
    judge(given, use, words) {
      // `--arg name value`: the value looks like an operand.
      const second = new Set(
        given.options.flatMap(({ option: { name }, value }) =>
          value !== null && /^--(?:arg|argjson|slurpfile|rawfile)$/.test(name) ? [value.at + 1] : [],
        ),
      );
      for (const { option, value } of given.options)
        if (
          value !== null &&
          option.name.endsWith('file') &&
          words[value.at + 1] !== undefined &&
          option.value === 'data'
        )
          use.path('reads', { word: words[value.at + 1] ?? value.word, at: value.at + 1 });
      const operands = given.operands.filter(({ at }) => !second.has(at));
      const filters = has(given, '-f') ? 0 : 1;
      for (const item of operands.slice(0, filters)) {
        if (/\benv\b|\$ENV/.test(literalOf(item) ?? 'env')) use.path('lists', MACHINE);
        if (/\b(?:import|include)\b/.test(literalOf(item) ?? 'import')) use.beyond(item.at);
      }
      for (const item of operands.slice(filters)) use.path('reads', item);
    },
  },
  {
    names: 'ls ll dir vdir stat du df readlink realpath basename dirname pathchk exa eza',
    options: '-L,--dereference! -H! -X,--exclude-from< --files0-from!<',
    operands: 'lists',
    harmless: true,
    inert: true,
  },
  {
    names: 'file',
    options:
      '-C,--compile! -m,--magic-file!< -f,--files-from!< -z,--uncompress! -Z,--uncompress-noreport! -F,--separator: -e,--exclude: -P,--parameter: -S,--no-sandbox',
    operands: 'reads',
    harmless: true,
    inert: true,
  },
  {
    names: 'tree',
    options: `-a -d -f -i -s -h -p -u -g -D -F -q -N -Q -r -t -c -U -v -S -n -C -A -J -X -x --du --si --dirsfirst --filesfirst --sort? --noreport
      --prune --gitignore --ignore-case --matchdirs --charset: --filelimit: --timefmt: -L: -P: -I: --inodes --device --version -l! -o!> -R! -H!:`,
    operands: 'lists',
    inert: true,
  },
  {
    names: `: true false test [ echo printf pwd type which whereis whoami id groups uname uptime nproc arch  locale tty seq sleep expr
      yes getconf logname cal factor numfmt tput break continue exit return shift wait times read jobs`,
    harmless: true,
    inert: true,
    // A pattern lists what it finds.
    judge: ({ operands }, use) =>
      operands.filter((item) => /[*?[]/.test(literalOf(item) ?? '')).forEach((item) => use.path('lists', item)),
  },
  // What they print is no part of the project: no question only where a rule names them.
  {
    names: 'printenv ps free users who',
    harmless: true,
    inert: true,
    judge: (_, use) => use.path('lists', MACHINE),
  },
  { names: 'cd', harmless: true, inert: true, operands: 'lists' },
  {
    names: 'date',
    options: '-d,--date: -r,--reference~ -f,--file!< -s,--set!: -u,--utc -R -I? --iso-8601? --rfc-3339:',
    harmless: true,
    inert: true,
  },
  {
    names: 'hostname',
    options: '-F,--file!< -b!',
    harmless: true,
    inert: true,
    judge: ({ operands }, use) => operands.forEach(({ at }) => use.beyond(at)),
  },
  {
    names: 'shuf',
    options:
      '-e,--echo -i,--input-range: -n,--head-count: -r,--repeat -z,--zero-terminated -o,--output!> --random-source<',
    operands: 'reads',
    inert: true,
  },
  { names: 'tsort ptx', operands: 'reads', inert: true },
];

/** Processes and variables: outside of any project. */
export const MACHINE = { word: { text: '/proc', dynamic: false, splits: false }, at: 0 };
const HERE = { word: { text: '.', dynamic: false, splits: false }, at: 0 };

/** `uniq IN OUT` writes its second operand; not every program takes an option behind the first one for an option. */
function secondIsWritten({ operands, options, unknown }: Given, use: UseBuilder): void {
  const [first, second, ...more] = operands;
  if (first === undefined) return;
  use.path('reads', first);
  const late = [...options.map(({ at }) => at), ...unknown].filter((at) => at > first.at);
  for (const at of late) use.beyond(at);
  for (const item of second === undefined ? [] : [second, ...more]) {
    use.beyond(item.at);
    use.path('writes', item);
  }
  if (second !== undefined || late.length > 0) use.acts = true;
}
