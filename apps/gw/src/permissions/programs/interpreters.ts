import { type Item, literal, literalOf, type Program, type UseBuilder, type Word } from './program.ts';

const VERSION = /^--version$/;

/** The first operand is the program to run, from the project; the words behind it are its own. */
function interpreter(names: string, options: string, more: Partial<Program> = {}): Program {
  const self: Program = {
    names,
    options,
    stops: true,
    judge(given, use, words) {
      script(words, given.end, use);
      if (words.length !== 2 || !VERSION.test(words[1]?.text ?? '')) use.acts = true;
    },
    ...more,
  };
  return self;
}

function script(words: readonly Word[], at: number, use: UseBuilder): void {
  const word = words[at];
  if (word === undefined) return;
  const item: Item = { word, at };
  if (literalOf(item) === '-') use.beyond(at);
  else use.path('reads', item);
}

export const INTERPRETERS: readonly Program[] = [
  interpreter(
    'python python2 python3 pypy pypy3',
    '-V,--version -h,--help -B -E -I -O -OO -P -q -s -S -u -v -x -b -d -W: -c!: -m!: -X!: -i! --check-hash-based-pycs:',
  ),
  interpreter(
    'node nodejs',
    `-v,--version -h,--help -c,--check --test --test-only --test-name-pattern: --test-reporter: --test-concurrency: --test-timeout:
     --test-force-exit --no-warnings --trace-warnings --trace-uncaught --enable-source-maps --experimental-strip-types --stack-trace-limit:
     --max-old-space-size: --throw-deprecation --unhandled-rejections: --watch -e,--eval!: -p,--print!: -pe!: -r,--require!< --import!< --loader!<
     --experimental-loader!< -i,--interactive! --env-file!< --env-file-if-exists!< --test-reporter-destination!> --inspect!? --inspect-brk!?
     --input-type: --run!: -C,--conditions: --cpu-prof! --heap-prof! --openssl-config!< --snapshot-blob!> --build-snapshot!`,
  ),
  interpreter('ruby', '-v,--version -w -W? -c -h,--help -e!: -r!: -I!~ -C!~ -i!? -S! -n! -p! -x! -E: -K:'),
  interpreter('perl', '-v -w -W -X -c -h -t -T -e!: -E!: -M!: -m!: -I!~ -i!? -n! -p! -x! -s -S! -d! -0? -l? -a -F!:'),
  interpreter('php', '-v,--version -l -i -m -h,--help -r!: -B!: -R!: -F!: -E!: -d!: -c!< -f!< -z!< -S!: -t!~ -a!'),
  interpreter('lua luajit', '-v -e!: -l!: -i! -E'),
  interpreter('deno', '-V,--version -h,--help -q,--quiet'),
  interpreter('tclsh Rscript osascript', '--version -e!:'),
  interpreter('java', '-version --version -showversion -jar -ea -da -cp!: -classpath!: --class-path!: -XX!:', {
    single: true,
  }),
  interpreter(
    'sh bash dash zsh ksh mksh ash fish rbash csh tcsh yash posh',
    '-c!$ -e -u -x -v -n -l,--login -i! -s! -o: -O: +O: -f -h -k! -m -p -r -t --norc --noprofile --posix --init-file!< --rcfile!< --version --help',
  ),
  {
    names: 'source .',
    acts: true,
    judge: ({ operands }, use) => operands.slice(0, 1).forEach((item) => use.path('reads', item)),
  },
];

const NAMES = new Set(INTERPRETERS.flatMap(({ names = '' }) => names.split(' ')));
const SHELLS = new Set('sh bash dash zsh ksh mksh ash fish rbash csh tcsh yash posh'.split(' '));
/** Options with which an interpreter does not read its program from its input. */
const GIVES_PROGRAM = /^(?:-[A-Za-z]*[cemrpEVvh]|--(?:eval|print|version|help|run|test|check|require|import|watch))/;

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** Whether a program, other than a shell, reads commands from its input. */
export function readsItsProgram(name: string, words: readonly Word[]): boolean {
  const texts = words.map(({ text }) => text);
  if (name === 'at' || name === 'batch' || name === 'ed' || name === 'ex') return !texts.includes('-l');
  if (name === 'crontab') return texts.every((text) => text === '-');
  const plain = name.replace(/[\d.]+$/, '');
  if (isShell(name) || name === 'source' || (!NAMES.has(name) && !NAMES.has(plain) && name !== 'bun')) return false;
  if (texts.some((text) => text === '-' || /^\/(?:dev|proc)\//.test(text))) return true;
  return texts.every((text) => text.startsWith('-')) && !texts.some((text) => GIVES_PROGRAM.test(text));
}

/** A program that starts its operands. */
export interface Wrapper extends Program {
  /** Operands before the command. */
  readonly before: number;
  /** A rule for what it starts is enough. */
  readonly transparent?: true;
}

const wrapper = (names: string, options: string, before = 0, transparent?: true): Wrapper => ({
  names,
  options,
  before,
  stops: true,
  // What it starts is judged by itself.
  ...(transparent === true ? { transparent } : { acts: true as const }),
});

/** Programs that only start what their words name. `env`, `xargs` and shells have rules of their own. */
export const WRAPPERS: readonly Wrapper[] = [
  wrapper('command', '-p -v -V', 0, true),
  wrapper('builtin', '', 0, true),
  wrapper('nice', '-n,--adjustment: -#', 0, true),
  wrapper('nohup', '', 0, true),
  wrapper('stdbuf', '-i,--input: -o,--output: -e,--error:', 0, true),
  wrapper('time', '-p -l -h -v,--verbose -q,--quiet -a,--append! -f,--format: -o,--output!> --portability', 0, true),
  wrapper('timeout gtimeout', '-k,--kill-after: -s,--signal: -v,--verbose --preserve-status --foreground', 1, true),
  wrapper('busybox toybox', ''),
  wrapper('caffeinate', '-d -i -m -s -u -t: -w:'),
  wrapper('chroot', '--userspec: --groups: --skip-chdir', 1),
  wrapper('chrt', '-T: -P: -D: -a -b -f -i -o -r -d -R', 1),
  wrapper('coproc', ''),
  wrapper('doas', '-u: -C: -n -s -L'),
  wrapper('exec', '-a: -c -l'),
  wrapper(
    'flock',
    '-w,--timeout: -E,--conflict-exit-code: -s,--shared -x,-e,--exclusive -n,--nonblock,--nb -o,--close -F,--no-fork --verbose',
    1,
  ),
  wrapper('ionice', '-c,--class: -n,--classdata: -p: -t,--ignore'),
  wrapper('setsid', '-c,--ctty -f,--fork -w,--wait'),
  wrapper('strace ltrace', '-a: -e: -o!> -O: -p: -P: -s: -S: -u: -X: -f -ff -c -C -q -r -t -T -v -y -i -k'),
  wrapper(
    'sudo',
    `-u,--user: -g,--group: -p,--prompt: -C,--close-from: -D,--chdir: -h,--host: -R,--chroot: -r,--role: -t,--type: -T,--command-timeout:
     -A,--askpass -b,--background -E,--preserve-env? -H,--set-home -i,--login -k -K -n,--non-interactive -P -S,--stdin -s,--shell -v`,
  ),
  wrapper('taskset', '-a -c -p', 1),
  wrapper(
    'unshare',
    '-m -u -i -n -p -U -C -T -f,--fork -r,--map-root-user -c,--map-current-user --kill-child? --mount-proc? -R,--root: -w,--wd: -S: -G: --propagation:',
  ),
  wrapper('watch', '-n,--interval: -d,--differences? -t,--no-title -b -e,--errexit,--exit -g -c,--color -x,--exec -p'),
  wrapper('npx bunx', '-y,--yes -p,--package: -q,--quiet --no-install --no --ignore-existing'),
];

export const ENVIRONMENT: Program = {
  names: 'env',
  options:
    '-u,--unset: -C,--chdir: -i,--ignore-environment -0,--null -v,--debug -S,--split-string! --block-signal? --default-signal? --ignore-signal?',
  stops: true,
  acts: true,
};

export const ARGUMENTS: Program = {
  names: 'xargs gxargs',
  options: `-a,--arg-file< -d,--delimiter: -E: -I: -L,--max-lines: -n,--max-args: -P,--max-procs: -s,--max-chars: -0,--null -r,--no-run-if-empty
    -t,--verbose -x,--exit -p,--interactive -o,--open-tty -e,--eof? -i,--replace? -l? --process-slot-var: --show-limits -J: -R: -S:`,
  stops: true,
  acts: true,
};

/** Words of an expression of find that change nothing, by the number of values behind them. */
const TESTS: Readonly<Record<string, number>> = Object.fromEntries([
  ...`-empty -readable -writable -executable -print -print0 -prune -quit -ls -not -a -o -and -or ! ( ) , -true -false -xdev -mount -depth
    -d -daystart -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -nouser -nogroup`
    .split(/\s+/)
    .map((name) => [name, 0] as const),
  ...`-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin
    -newer -anewer -cnewer -newerXY -newermt -newerat -newerct -samefile -perm -user -group -uid -gid -maxdepth -mindepth -links -inum
    -lname -ilname -fstype -used -printf -context`
    .split(/\s+/)
    .map((name) => [name, 1] as const),
]);
const WRITES = /^-(?:fprint0?|fls|fprintf)$/;
export const EXECUTES = /^(?:-(?:exec|execdir|ok|okdir)|-x|-X|--exec|--exec-batch)$/;
const HERE: Item = { word: literal('.'), at: 0 };

export const FIND: Program = {
  names: 'find gfind',
  raw: true,
  judge: (_, use, words) => judgeFind(words, use),
};

function judgeFind(words: readonly Word[], use: UseBuilder): void {
  let at = 1;
  for (; at < words.length; at += 1) {
    const text = words[at]?.dynamic ? null : words[at]?.text;
    if (text === '-H' || text === '-L') use.beyond(at);
    else if (text == null || !/^-(?:P|O\d?|D)$/.test(text)) break;
  }
  const starts: Item[] = [];
  for (; at < words.length; at += 1) {
    const word = words[at] ?? literal('');
    const text = literalOf({ word });
    if (text !== null && /^(?:-.|[!(])/.test(text)) break;
    starts.push({ word, at });
    if (word.dynamic || (word.splits && /^[*?[]/.test(word.text))) use.beyond(at);
  }
  for (const item of starts.length === 0 ? [HERE] : starts) use.path('lists', item, true);
  let deletes = false;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? literal('');
    const text = literalOf({ word });
    const values =
      text === null || word.splits ? undefined : (TESTS[text] ?? (/^-newer[aBcm][aBcmt]$/.test(text) ? 1 : undefined));
    if (values !== undefined) {
      if (values > 0 && words[at + 1]?.splits === true) use.beyond(at + 1);
      at += values;
      continue;
    }
    use.acts = true;
    use.beyond(at);
    if (text === '-delete') deletes = true;
    if (text !== null && (WRITES.test(text) || text === '-files0-from')) {
      const next = words[at + 1];
      if (next !== undefined) {
        use.path(WRITES.test(text) ? 'writes' : 'reads', { word: next, at: at + 1 });
        use.beyond(at + 1, at);
        at += 1;
      }
    } else if (text !== null && EXECUTES.test(text)) {
      // The command is judged by itself; as words of find it belongs to the option.
      const option = at;
      while (at + 1 < words.length && !/^(?:;|\+)$/.test(words[at + 1]?.text ?? '')) use.beyond((at += 1), option);
      if (at + 1 < words.length) at += 1;
    }
  }
  if (!deletes) return;
  use.destroys = 'It removes files that it does not name';
  for (const item of starts.length === 0 ? [HERE] : starts) use.path('removes', item, true);
}

export const FD: Program = {
  names: 'fd fdfind',
  options: `-H,--hidden -I,--no-ignore -u,--unrestricted -s,--case-sensitive -i,--ignore-case -g,--glob -F,--fixed-strings -a,--absolute-path
    -l,--list-details -p,--full-path -0,--print0 -d,--max-depth: --min-depth: --exact-depth: -E,--exclude: -t,--type: -e,--extension: -S,--size:
    --changed-within: --changed-before: -c,--color: -j,--threads: -1 --max-results: -q,--quiet --prune --no-ignore-vcs -L,--follow!
    -x,--exec! -X,--exec-batch! --search-path~ --base-directory! -C!`,
  judge(given, use) {
    const [, ...folders] = given.operands;
    for (const item of folders.length === 0 ? [HERE] : folders) use.path('lists', item, true);
    const option = given.options.find(({ option: { name } }) => name === '-x' || name === '-X');
    if (option !== undefined)
      for (const item of given.operands) if (item.at > option.at) use.beyond(item.at, option.at);
  },
};
