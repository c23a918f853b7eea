import type { SimpleCommand, Word } from './types.ts';
import { literal, unknownWord } from './words.ts';

/** What a command starts: other commands, lines of shell text, and what of that is not known. */
export interface Started {
  readonly commands: readonly SimpleCommand[];
  readonly lines: readonly string[];
  readonly opaque: readonly string[];
  readonly transparent: boolean;
}

const NOTHING: Started = { commands: [], lines: [], opaque: [], transparent: false };
const unknown = (why: string): Started => ({ ...NOTHING, opaque: [why] });

/** Programs that do nothing but start their operand: options that take a value, and operands before the command. */
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
/** Words of the grammar: as the name of a command they mean that the line was taken for something else than it is. */
const RESERVED = new Set(
  '! [[ { } case coproc do done elif else esac fi for function if in select then until while'.split(' '),
);
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'rbash']);

/** What a simple command starts, as far as its words say it. */
export function startedBy(command: SimpleCommand): Started {
  const [first, ...rest] = command.words;
  if (first === undefined) return NOTHING;
  if (first.dynamic || first.splits) return unknown('The name of a command is not known before the line runs.');
  const name = nameOf(first);
  if (RESERVED.has(first.text)) return unknown(`"${first.text}" is no command.`);
  if (SHELLS.has(name)) return shell(rest);
  if (name === 'env') return environment(command, rest);
  if (name === 'xargs') return appended(command, rest);
  if (name === 'find' || name === 'fd' || name === 'fdfind') return finds(command, rest);
  if (name === 'eval') return textOf(rest);
  if (name === 'trap') return rest.length > 1 ? textOf(rest.slice(0, 1)) : NOTHING;
  if (name === 'alias') return aliases(rest);
  if (name === 'git') return startedByGit(command, rest);
  if (name === 'su' || name === 'script') return after(rest, /^-\w*c$|^--command$/);
  if (
    name === 'parallel' ||
    name === 'mapfile' ||
    name === 'readarray' ||
    name === 'enable' ||
    name === 'hash' ||
    name === 'shopt'
  ) {
    return rest.length === 0 ? NOTHING : unknown(`"${name}" may start any command.`);
  }
  const prefix = PREFIXES[name];
  return prefix === undefined ? NOTHING : prefixed(command, rest, prefix);
}

/** The last part of a command's path. */
export function nameOf(word: Word): string {
  return word.text.slice(word.text.lastIndexOf('/') + 1);
}

function inner(outer: SimpleCommand, words: readonly Word[], assignments: readonly string[] = []): SimpleCommand {
  const source = words.map((word) => (word.dynamic ? '…' : word.text)).join(' ');
  return {
    source,
    words,
    assignments: [...outer.assignments, ...assignments],
    redirections: [],
    transparent: false,
    removes: [],
  };
}

/** Passes over options, `values` naming those letters that take the next word; null where an option is not known. */
function operandsOf(words: readonly Word[], values: string): readonly Word[] | null {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || word.dynamic || word.splits) return null;
    if (word.text === '--') return words.slice(at + 1);
    if (!word.text.startsWith('-') || word.text === '-') break;
    if (!word.text.startsWith('--') && word.text.length === 2 && values.includes(word.text.charAt(1))) at += 1;
  }
  return words.slice(at);
}

function prefixed(
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

/** xargs appends words that are not known, or puts them in the place of a mark. */
function appended(outer: SimpleCommand, words: readonly Word[]): Started {
  const operands = operandsOf(words, 'adEIiLlnPs');
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

function shell(words: readonly Word[]): Started {
  for (const [at, word] of words.entries()) {
    if (word.dynamic || word.splits) return unknown('What a shell runs is not known before the line runs.');
    if (/^[-+]\w*c\w*$/.test(word.text)) {
      const text = operandsOf(words.slice(at + 1), 'oO')?.[0];
      return text === undefined || text.dynamic
        ? unknown('What a shell runs is not known before the line runs.')
        : { ...NOTHING, lines: [text.text] };
    }
    if (/^-\w*s\w*$/.test(word.text) || word.text === '-' || /^--(?:init-file|rcfile)/.test(word.text))
      return unknown('A shell reads commands that are not in the line.');
    if (!/^[-+]/.test(word.text))
      return /^\/(?:dev|proc)\//.test(word.text) ? unknown('A shell reads its commands from a device.') : NOTHING; // a script
  }
  return unknown('A shell reads commands from its input.');
}

function textOf(words: readonly Word[]): Started {
  if (words.some(({ dynamic, splits }) => dynamic || splits))
    return unknown('The text of a command is not known before the line runs.');
  return words.length === 0 ? NOTHING : { ...NOTHING, lines: [words.map(({ text }) => text).join(' ')] };
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

/** `git -c alias.x=!command`, `git bisect run`, and options of git that name a program. */
function startedByGit(outer: SimpleCommand, words: readonly Word[]): Started {
  const runs = words.findIndex(
    ({ text }, at) => text === 'foreach' || (text === 'run' && words[at - 1]?.text === 'bisect'),
  );
  if (runs >= 0) {
    const rest = words.slice(runs + 1).filter(({ text }) => text !== '--recursive' && text !== '--quiet');
    return rest.length === 1 ? textOf(rest) : { ...NOTHING, commands: rest.length === 0 ? [] : [inner(outer, rest)] };
  }
  const settings = words.flatMap(({ text }, at) =>
    words[at - 1]?.text === '-c' || words[at - 1]?.text === 'config'
      ? [text]
      : /^-c./.test(text)
        ? [text.slice(2)]
        : [],
  );
  const alias = settings.map((text) => /^alias\.[^=]+=(!?)([\s\S]*)$/i.exec(text)).filter((found) => found !== null);
  const lines = alias.map(([, shell, text = '']) => (shell === '!' ? text : `git ${text}`));
  const at = words.findIndex(({ text }) =>
    /^(?:--exec|-x|--upload-pack|--receive-pack|--open-files-in-pager)$/.test(text),
  );
  const program = at < 0 ? [] : [words[at + 1] ?? literal('')];
  const joined = words.flatMap(({ text }) => /^(?:--exec|--upload-pack|--receive-pack)=(.+)$/.exec(text)?.[1] ?? []);
  const started = textOf(program);
  const other = settings.some((text) =>
    /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|hookspath)|pager\.|diff\..*(?:command|textconv)|.*\.helper|filter\.)/i.test(
      text,
    ),
  );
  return {
    ...NOTHING,
    lines: [...lines, ...joined, ...started.lines],
    opaque: [...started.opaque, ...(other ? ['A setting of git may start any command.'] : [])],
  };
}
