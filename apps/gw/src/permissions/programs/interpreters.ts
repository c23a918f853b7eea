import type { Program, UseBuilder } from './program.ts';
import { type Item, literalOf, type Word } from './word.ts';

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
