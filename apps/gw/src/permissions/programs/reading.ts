import { type Given, has, type Item, literal, literalOf, type Program, type UseBuilder, valuesOf } from './program.ts';

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

/** What awk can do besides printing: start programs, read files that its program names, write files. */
const ACTS = /\bsystem\b|\bgetline\b|\bARG[VC]\b|@|\bprintf?\b[\s\S]*(?:>|(?<!\|)\|(?!\|))|\\\n/;

export const AWK: Program = {
  names: 'awk gawk mawk nawk',
  options: `-F,--field-separator: -v,--assign: -b,--characters-as-bytes -C -c,--traditional -h -M,--bignum -n,--non-decimal-data -N
    -O,--optimize -P,--posix -r,--re-interval -s -S,--sandbox -t,--lint-old -V,--version -f,--file!< -E,--exec!< -i,--include!: -l,--load!:
    -e,--source!: -o,--pretty-print!>? -p,--profile!>? -d,--dump-variables!>? -D,--debug!?`,
  stops: true,
  judge(given, use, words) {
    const items = words.slice(given.end).map((word, index) => ({ word, at: given.end + index }));
    const programs = has(given, '-f', '-E', '-e') ? [] : items.slice(0, 1);
    for (const item of programs) {
      const text = literalOf(item);
      if (/\bENVIRON\b|PROCINFO/.test(text ?? '')) use.path('lists', MACHINE);
      if (text !== null && !ACTS.test(text)) continue;
      use.acts = true;
      use.beyond(item.at);
      for (const [, path = ''] of (text ?? '').matchAll(/>{1,2}\s*"([^"]+)"/g))
        use.path('writes', { at: item.at, word: { text: path, dynamic: false, splits: false } });
    }
    for (const item of items.slice(programs.length)) {
      const text = literalOf(item);
      if (text === null || !/^[A-Za-z_]\w*=/.test(text)) use.path('reads', item);
    }
  },
};

export const SED: Program = {
  names: 'sed gsed',
  options: `-n,--quiet,--silent -e,--expression: -E,-r,--regexp-extended -s,--separate -u,--unbuffered -z,--null-data --posix --debug
    --sandbox -b,--binary -l,--line-length: --follow-symlinks! -f,--file!< -i,--in-place!? -I!`,
  judge(given, use) {
    const scripts = valuesOf(given, '-e');
    const first = has(given, '-e', '-f') ? [] : given.operands.slice(0, 1);
    for (const item of [...scripts, ...first]) judgeScript(item, use);
    const files = given.operands.slice(first.length);
    // `sed -i` writes the files, and a suffix keeps a copy beside them.
    const writes = has(given, '-i', '-I');
    for (const item of files) {
      use.path('reads', item);
      if (writes) use.path('writes', item);
    }
  },
};

function judgeScript(item: Item, use: UseBuilder): void {
  const text = literalOf(item);
  const found = text === null ? null : readScript(text);
  const name = (path: string): Item => ({ word: { ...item.word, ...literal(path) }, at: item.at });
  if (found === null) {
    use.acts = true;
    use.beyond(item.at);
    // Where the script is not understood, the words in it may name files.
    for (const [, path = ''] of (text ?? '').matchAll(/[wWrR]\s*(\S[^\n;}]*)/g)) use.path('writes', name(path.trim()));
    return;
  }
  for (const path of found.reads) use.path('reads', name(path));
  for (const path of found.writes) use.path('writes', name(path));
  use.lines.push(...found.lines.map(literal));
  if (found.writes.length > 0 || found.runs) {
    use.acts = true;
    use.beyond(item.at);
  }
}

interface Script {
  readonly reads: string[];
  readonly writes: string[];
  readonly lines: string[];
  runs: boolean;
}

/** The files that a script of sed names and the commands that it runs; null where it is not understood. */
function readScript(text: string): Script | null {
  const script: Script = { reads: [], writes: [], lines: [], runs: false };
  let at = 0;
  const skip = (pattern: RegExp): string => {
    const found = new RegExp(pattern.source, 'y');
    found.lastIndex = at;
    const match = found.exec(text)?.[0] ?? '';
    at += match.length;
    return match;
  };
  /** The text up to a delimiter; null where there is none. */
  const upTo = (delimiter: string, isPattern: boolean): string | null => {
    const from = at;
    let inClass = false;
    for (; at < text.length; at += 1) {
      const sign = text[at];
      if (sign === '\\') at += 1;
      else if (isPattern && inClass) inClass = sign !== ']' || text[at - 1] === '[' || text.slice(at - 2, at) === '[^';
      else if (isPattern && sign === '[') inClass = true;
      else if (sign === delimiter) return text.slice(from, at++);
      // A bracket that does not end: sed may see the delimiter where this does not.
      if (inClass && sign === delimiter) return null;
    }
    return null;
  };
  const restOfLine = (): string => skip(/[^\n]*/).trim();
  const isStream = (path: string): boolean => /^\/dev\/std(?:out|err)$/.test(path);
  const address = (): boolean => {
    if (skip(/\d+(?:~\d+)?|\$|[+~]\d+/) !== '') return true;
    if (text[at] !== '/' && text[at] !== '\\') return true;
    if (text[at] === '\\') at += 1;
    const delimiter = text[at] ?? '';
    at += 1;
    if (delimiter === '' || delimiter === '\n' || upTo(delimiter, true) === null) return false;
    skip(/[IM]+/);
    return true;
  };
  while (at < text.length) {
    skip(/[\s;]+/);
    if (at >= text.length) break;
    if (!address()) return null;
    skip(/\s*/);
    if (text[at] === ',') {
      at += 1;
      skip(/\s*/);
      if (!address()) return null;
    }
    skip(/[\s!]*/);
    const command = text[at];
    at += 1;
    switch (command) {
      case undefined:
        return null;
      case '{':
        continue;
      case '}':
      case '=':
      case 'd':
      case 'D':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'n':
      case 'N':
      case 'p':
      case 'P':
      case 'x':
      case 'z':
      case 'F':
        break;
      case 'q':
      case 'Q':
      case 'l':
      case 'L':
        skip(/\s*\d*/);
        break;
      case '#':
        skip(/[^\n]*/);
        continue;
      case 'b':
      case 't':
      case 'T':
      case ':':
        skip(/[ \t]*[^\s;}]*/);
        break;
      case 'a':
      case 'i':
      case 'c':
        if (skip(/[^\n]*/).endsWith('\\')) return null; // text of several lines
        continue;
      case 'r':
      case 'R':
        script.reads.push(restOfLine());
        continue;
      case 'w':
      case 'W': {
        const path = restOfLine();
        if (!isStream(path)) script.writes.push(path);
        continue;
      }
      case 'e': {
        script.runs = true;
        const line = restOfLine();
        if (line !== '') script.lines.push(line);
        continue;
      }
      case 's':
      case 'y': {
        const delimiter = text[at] ?? '';
        at += 1;
        if (delimiter === '' || /[\n\\]/.test(delimiter)) return null;
        const isPattern = command === 's';
        if (upTo(delimiter, isPattern) === null) return null;
        const replacement = upTo(delimiter, false);
        if (replacement === null) return null;
        if (!isPattern) break;
        const flags = skip(/[gpIiMm\d]*/);
        if (text[at] === 'e' || flags.includes('e')) {
          script.runs = true;
          script.lines.push(replacement);
          at += 1;
          skip(/[gpIiMm\de]*/);
        }
        if (text[at] === 'w') {
          at += 1;
          const path = restOfLine();
          if (!isStream(path)) script.writes.push(path);
          continue;
        }
        break;
      }
      default:
        return null;
    }
    skip(/[ \t]*/);
    if (at < text.length && !/[\n;}#]/.test(text[at] ?? '')) return null;
  }
  return script;
}
