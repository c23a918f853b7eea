import { findStartedByGit } from './git.ts';
import { findStartedByOption } from './programs.ts';
import { inner, isDevice, NOTHING, nameOf, type Started, textOf, unknown } from './started.ts';
import type { SimpleCommand, Word } from './types.ts';
import { EVALUATED, evaluatesWords } from './variable-names.ts';
import { unknownWord } from './words.ts';

/** Programs that only start their operand: options that take a value, and operands before the command. */
const PREFIXES: Readonly<
  Record<string, { readonly values: string; readonly operands: number; readonly transparent: boolean }>
> = {
  builtin: { values: '', operands: 0, transparent: true },
  command: { values: '', operands: 0, transparent: true },
  nice: { values: 'n', operands: 0, transparent: true },
  nohup: { values: '', operands: 0, transparent: true },
  stdbuf: { values: 'ioe', operands: 0, transparent: true },
  time: { values: 'fo', operands: 0, transparent: true },
  timeout: { values: 'ks', operands: 1, transparent: true },
  busybox: { values: '', operands: 0, transparent: false },
  caffeinate: { values: 'tw', operands: 0, transparent: false },
  chroot: { values: '', operands: 1, transparent: false },
  chrt: { values: 'TPD', operands: 1, transparent: false },
  coproc: { values: '', operands: 0, transparent: false },
  doas: { values: 'uC', operands: 0, transparent: false },
  exec: { values: 'a', operands: 0, transparent: false },
  flock: { values: 'wE', operands: 1, transparent: false },
  ionice: { values: 'cnp', operands: 0, transparent: false },
  setsid: { values: '', operands: 0, transparent: false },
  strace: { values: 'aeoOpPsSuX', operands: 0, transparent: false },
  sudo: { values: 'ugpCDhRrtT', operands: 0, transparent: false },
  taskset: { values: '', operands: 1, transparent: false },
  toybox: { values: '', operands: 0, transparent: false },
  unshare: { values: '', operands: 0, transparent: false },
  watch: { values: 'n', operands: 0, transparent: false },
};
/** Keywords of the grammar: a command of this name means that the line was parsed incorrectly. */
const RESERVED = new Set(
  '! [[ { } case coproc do done elif else esac fi for function if in select then until while'.split(' '),
);
const SHELLS = new Set('sh bash dash zsh ksh mksh ash fish rbash csh tcsh yash posh'.split(' '));

/** What a simple command starts, as far as its words say it. */
export function findStarted(command: SimpleCommand): Started {
  const [first, ...rest] = command.words;
  if (command.assignments.some((set) => EVALUATED.test(set)))
    return unknown('A variable names commands that are not in the line.');
  if (first === undefined) return NOTHING;
  if (first.dynamic || first.splits) return unknown('The name of a command is not known before the line runs.');
  const name = nameOf(first);
  if (RESERVED.has(first.text)) return unknown(`"${first.text}" is not a command.`);
  if (evaluatesWords(name, rest)) return unknown('The name of a variable or a number may run commands.');
  if (SHELLS.has(name)) return shell(name, rest);
  if (name === 'env') return environment(command, rest);
  if (name === 'xargs') return appendWords(command, rest);
  if (name === 'find' || name === 'fd' || name === 'fdfind') return finds(command, rest);
  if (name === 'eval') return textOf(behindOptions(rest));
  if (name === 'trap') return rest.length > 1 ? textOf(behindOptions(rest).slice(0, 1)) : NOTHING;
  if (name === 'alias') return aliases(rest);
  if (name === 'source' || name === '.') return judgeSourced(behindOptions(rest));
  if (name === 'git') return findStartedByGit(command, rest);
  if (name === 'su' || name === 'script') return after(rest, /^-\w*c$|^--command$/);
  if (
    name === 'parallel' ||
    name === 'mapfile' ||
    name === 'readarray' ||
    name === 'enable' ||
    name === 'hash' ||
    name === 'shopt' ||
    name === 'compgen' ||
    name === 'complete'
  ) {
    return rest.length === 0 ? NOTHING : unknown(`"${name}" may start any command.`);
  }
  const prefix = PREFIXES[name];
  return prefix === undefined ? findStartedByOption(name, command, rest) : prependWords(command, rest, prefix);
}

function behindOptions(words: readonly Word[]): readonly Word[] {
  return words[0]?.text === '--' && !words[0].dynamic ? words.slice(1) : words;
}

function judgeSourced([file]: readonly Word[]): Started {
  if (file === undefined || file.dynamic || file.splits || isDevice(file.text))
    return unknown('A shell reads commands that are not in the line.');
  return NOTHING;
}

/** Long options without a value. Of any other it is not known whether the next word belongs to it. */
const FLAGS = new Set(
  `--append --background --debug --exclusive --exit --foreground --ignore-environment --interactive --login
  --no-run-if-empty --non-interactive --nonblock --null --open-tty --portability --preserve-env --preserve-status --quiet
  --set-home --shared --verbose`.split(/\s+/),
);

/**
 * Skips options. `values` are the letters that take the next argument if nothing follows them in their own, and `attached`
 * those whose value must follow in the same argument. Null for an unknown option.
 */
function operandsOf(words: readonly Word[], values: string, attached = ''): readonly Word[] | null {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || word.dynamic || word.splits) return null;
    if (word.text === '--') return words.slice(at + 1);
    if (!word.text.startsWith('-') || word.text === '-') break;
    if (word.text.startsWith('--')) {
      if (!word.text.includes('=') && !FLAGS.has(word.text)) return null;
      continue;
    }
    const letters = word.text.slice(1).split('');
    const first = letters.findIndex((letter) => values.includes(letter) || attached.includes(letter));
    if (first === letters.length - 1 && values.includes(letters[first] ?? '-')) at += 1;
  }
  return words.slice(at);
}

function prependWords(
  outer: SimpleCommand,
  words: readonly Word[],
  prefix: { values: string; operands: number; transparent: boolean },
): Started {
  const operands = operandsOf(words, prefix.values);
  if (operands === null) return unknown('What a command starts is not known before the line runs.');
  const started = operands.slice(prefix.operands);
  if (started.length === 0) return NOTHING;
  const variant = started.length === 1 && /\s/.test(started[0]?.text ?? '') ? [started[0]?.text ?? ''] : []; // watch 'a | b'
  // `./timeout` is a program of the project; `time -o FILE` writes.
  const [name, first] = outer.words.map(({ text }) => text);
  const plain = !name?.includes('/') && !(name === 'time' && first?.startsWith('-'));
  const transparent = prefix.transparent && plain && outer.redirections.length === 0;
  return { commands: [inner(outer, started)], lines: variant, opaque: [], transparent };
}

function environment(outer: SimpleCommand, words: readonly Word[]): Started {
  const operands = operandsOf(words, 'uC');
  if (operands === null || words.some(({ text }) => /^-[^-]*S|^--split/.test(text))) {
    return unknown('What env starts is not known before the line runs.');
  }
  const first = operands.findIndex(({ text, dynamic }) => dynamic || !/^[^=]+=/.test(text));
  const names = (first < 0 ? operands : operands.slice(0, first)).map(({ text }) => text.split('=', 1)[0] ?? '');
  return first < 0 ? NOTHING : { ...NOTHING, commands: [inner(outer, operands.slice(first), names)] };
}

/** xargs appends arguments that are not known, or inserts them for a placeholder. */
function appendWords(outer: SimpleCommand, words: readonly Word[]): Started {
  const operands = operandsOf(words, 'adEILnPs', 'eil');
  if (operands === null) return unknown('What xargs starts is not known before the line runs.');
  if (operands.length === 0) return NOTHING; // echo
  const options = words.slice(0, words.length - operands.length).map(({ text }) => text);
  if (!options.some((text) => /^-[Ii]|^--replace/.test(text)))
    return { ...NOTHING, commands: [inner(outer, [...operands, unknownWord(true)])] };
  const at = options.findIndex((text) => /^-I$/.test(text));
  const mark =
    at >= 0
      ? (options[at + 1] ?? '{}')
      : (options.map((text) => /^(?:-[Ii]|--replace=)(.+)$/.exec(text)?.[1]).find(Boolean) ?? '{}');
  return {
    ...NOTHING,
    commands: [
      inner(
        outer,
        operands.map((word) => (word.text.includes(mark) ? unknownWord(false) : word)),
      ),
    ],
  };
}

const EXECUTES = /^(?:-(?:exec|execdir|ok|okdir)|-x|-X|--exec|--exec-batch)$/;
function finds(outer: SimpleCommand, words: readonly Word[]): Started {
  if (words.some((word) => word.splits && (word.dynamic || /^[*?[]/.test(word.text))))
    return unknown('The words of find are not known before the line runs.');
  const commands: SimpleCommand[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!EXECUTES.test(words[at]?.text ?? '')) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex(({ text }) => text === ';' || text === '+');
    const own = (end < 0 ? rest : rest.slice(0, end)).map((word) =>
      word.text.includes('{}') ? unknownWord(false) : word,
    );
    if (own.length > 0) commands.push(inner(outer, own));
    at += own.length;
  }
  return { ...NOTHING, commands };
}

/** Where shells differ: `echo $'\\'; touch x; echo '` is one command in Bash, and three in others. `[[ a > b ]]` writes there. */
const READ_OTHERWISE = /\$'|\[\[/;

/** `bash -eo pipefail -c 'text'`: letters may be combined, and each `o` takes a separate argument. */
function shell(name: string, words: readonly Word[]): Started {
  let runsText = false;
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || word.dynamic || word.splits || word.text === '-')
      return unknown('What a shell runs is not known before the line runs.');
    if (!/^[-+]/.test(word.text)) break;
    if (word.text === '--') {
      at += 1;
      break;
    }
    if (/^--(?:init|rc)/.test(word.text) || (name === 'fish' && word.text !== '-c'))
      return unknown('A shell reads commands that are not in the line.');
    if (word.text.startsWith('--')) continue;
    const letters = word.text.slice(1);
    if (letters.includes('c')) runsText = true;
    else if (letters.includes('s')) return unknown('A shell reads commands that are not in the line.');
    at += letters.replaceAll(/[^oO]/g, '').length;
  }
  const operand = words[at];
  if (operand === undefined) return unknown('A shell reads commands from its input.');
  if (operand.dynamic || (runsText && operand.splits))
    return unknown('What a shell runs is not known before the line runs.');
  if (runsText && name !== 'bash' && READ_OTHERWISE.test(operand.text))
    return unknown(`"${name}" reads this text in another way than Bash.`);
  if (runsText) return { ...NOTHING, lines: [operand.text] };
  return isDevice(operand.text) ? unknown('A shell reads its commands from a device.') : NOTHING; // a script
}

function after(words: readonly Word[], option: RegExp): Started {
  const at = words.findIndex(({ text, dynamic }) => !dynamic && option.test(text));
  if (at >= 0) return textOf(words.slice(at + 1, at + 2));
  return unknown('A shell reads commands from its input.');
}

function aliases(words: readonly Word[]): Started {
  if (words.some(({ dynamic, splits }) => dynamic || splits))
    return unknown('The text of an alias is not known before the line runs.');
  return { ...NOTHING, lines: words.map(({ text }) => text.split('=').slice(1).join('=')).filter(Boolean) };
}
