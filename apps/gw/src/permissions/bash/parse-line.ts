import type { Parser } from 'web-tree-sitter';
import { loadGrammar, loadRuntime } from '../../process/grammars.ts';
import { gitWords, startsByOption } from '../programs/git-changing.ts';
import { ARGUMENTS, ENVIRONMENT, EXECUTES, isShell, readsItsProgram, type Wrapper } from '../programs/interpreters.ts';
import { has, nameOf, optionsOf, type Program, unknownWord, valuesOf, type Word } from '../programs/program.ts';
import { copiesPrograms, doesNotRunItsWords, findWrapper, useOf } from '../programs/table.ts';
import { aliasLine, type GitAliases } from './git-aliases.ts';
import { readNodes } from './nodes.ts';
import type { ParsedLine, SimpleCommand } from './types.ts';
import { EVALUATED, evaluatesWords, namesSetBy } from './words.ts';

/** Keywords of the grammar: a command of this name means that the line was parsed incorrectly. */
const RESERVED = new Set(
  '! [[ { } case coproc do done elif else esac fi for function if in select then until while'.split(' '),
);

/** What a simple command starts, as far as its words say it. */
function findStarted(command: SimpleCommand): Started {
  const [first, ...rest] = command.words;
  if (command.assignments.some((set) => EVALUATED.test(set)))
    return unknown('A variable names commands that are not in the line.');
  if (first === undefined) return NOTHING;
  if (first.dynamic || first.splits) return unknown('The name of a command is not known before the line runs.');
  const name = nameOf(first);
  if (RESERVED.has(first.text)) return unknown(`"${first.text}" is not a command.`);
  if (evaluatesWords(name, rest)) return unknown('The name of a variable or a number may run commands.');
  if (isShell(name)) return shell(name, rest);
  if (name === 'env') return environment(command);
  if (name === 'xargs') return appendWords(command);
  if (name === 'find' || name === 'fd' || name === 'fdfind') return finds(command, rest);
  if (name === 'eval') return startedByText(behindOptions(rest));
  if (name === 'trap') return rest.length > 1 ? startedByText(behindOptions(rest).slice(0, 1)) : NOTHING;
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
  const wrapper = findWrapper(name);
  return wrapper === undefined ? startedByOptions(name, command, rest) : prependWords(command, wrapper);
}

/** Values of options that a shell runs, and what a program reads from its input. */
function startedByOptions(name: string, command: SimpleCommand, words: readonly Word[]): Started {
  const started = command.use.lines.map((line) => startedByText([line]));
  const givenText = command.input.length > 0 && command.input.every(({ dynamic }) => !dynamic);
  const reads = readsItsProgram(name, words) && !givenText ? [`${name} reads commands from its input.`] : [];
  return {
    ...NOTHING,
    lines: started.flatMap(({ lines }) => lines),
    opaque: [...started.flatMap(({ opaque }) => opaque), ...reads],
  };
}

function behindOptions(words: readonly Word[]): readonly Word[] {
  return words[0]?.text === '--' && !words[0].dynamic ? words.slice(1) : words;
}

function judgeSourced([file]: readonly Word[]): Started {
  if (file === undefined || file.dynamic || file.splits || isDevice(file.text))
    return unknown('A shell reads commands that are not in the line.');
  return NOTHING;
}

/** The words behind the options of a program that starts them; null where they are not known before the line runs. */
function operandsOf(program: Program, words: readonly Word[]): readonly Word[] | null {
  const given = optionsOf(program, words);
  return given.unknown.some((at) => at !== given.end) || words[given.end]?.dynamic === true
    ? null
    : words.slice(given.end);
}

function prependWords(outer: SimpleCommand, wrapper: Wrapper): Started {
  const operands = operandsOf(wrapper, outer.words);
  if (operands === null) return unknown('What a command starts is not known before the line runs.');
  const started = operands.slice(wrapper.before);
  const onlyLooks = wrapper.names === 'command' && has(optionsOf(wrapper, outer.words), '-v', '-V');
  if (started.length === 0 || onlyLooks) return NOTHING;
  const variant = started.length === 1 && /\s/.test(started[0]?.text ?? '') ? [started[0]?.text ?? ''] : []; // watch 'a | b'
  // `./timeout` is a program of the project; `time -o FILE` writes.
  const plain = outer.words[0]?.text.includes('/') === false && outer.use.beyond.size === 0;
  const transparent = wrapper.transparent === true && plain && outer.redirections.length === 0;
  return { commands: [inner(outer, started)], lines: variant, opaque: [], transparent };
}

function environment(outer: SimpleCommand): Started {
  const operands = operandsOf(ENVIRONMENT, outer.words);
  if (operands === null || has(optionsOf(ENVIRONMENT, outer.words), '-S'))
    return unknown('What env starts is not known before the line runs.');
  const first = operands.findIndex(({ text, dynamic }) => dynamic || !/^[^=]+=/.test(text));
  const names = (first < 0 ? operands : operands.slice(0, first)).map(({ text }) => text.split('=', 1)[0] ?? '');
  return first < 0 ? NOTHING : { ...NOTHING, commands: [inner(outer, operands.slice(first), names)] };
}

/** xargs appends arguments that are not known, or inserts them for a placeholder. */
function appendWords(outer: SimpleCommand): Started {
  const operands = operandsOf(ARGUMENTS, outer.words);
  if (operands === null) return unknown('What xargs starts is not known before the line runs.');
  if (operands.length === 0) return NOTHING; // echo
  const given = optionsOf(ARGUMENTS, outer.words);
  if (!has(given, '-I', '-i', '-J')) return { ...NOTHING, commands: [inner(outer, [...operands, unknownWord(true)])] };
  const mark = valuesOf(given, '-I', '-i', '-J').at(-1)?.word.text ?? '{}';
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
    // fd puts what it finds at the end where no place is marked.
    const marked = own.some(({ dynamic }) => dynamic) || /^g?find$/.test(nameOf(outer.words[0] ?? unknownWord(false)));
    if (own.length > 0) commands.push(inner(outer, marked ? own : [...own, unknownWord(true)]));
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
  if (at >= 0) return startedByText(words.slice(at + 1, at + 2));
  return unknown('A shell reads commands from its input.');
}

function aliases(words: readonly Word[]): Started {
  if (words.some(({ dynamic, splits }) => dynamic || splits))
    return unknown('The text of an alias is not known before the line runs.');
  return { ...NOTHING, lines: words.map(({ text }) => text.split('=').slice(1).join('=')).filter(Boolean) };
}

let loading: Promise<Parser> | undefined;

/** The parser of Bash lines, loaded on first use. */
function bashParser(): Promise<Parser> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Parser> {
  // Optimizing the grammar's one large function takes 2.5 s of processor time, and the end of the process waits for it.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up']) setFlagsFromString(flag);
  const { Parser: BashParser } = await loadRuntime();
  const parser = new BashParser();
  parser.setLanguage(await loadGrammar('tree-sitter-bash'));
  return parser;
}

/** `sh -c "sh -c …"` deeper than this is not followed. */
const DEEPEST = 6;
/** Longer lines are not parsed: nobody reads them before approving them either. */
const LONGEST_LINE = 64 * 1024;

/**
 * The simple commands of a Bash line: those of pipes, lists, compound commands, functions, substitutions and
 * here-documents, and those that `env`, `xargs`, `find -exec`, `sh -c` and their like start.
 */
export async function parseLine(source: string, aliases: GitAliases = new Map()): Promise<ParsedLine> {
  return parseDeep(source, 0, aliases);
}

async function parseDeep(source: string, depth: number, aliases: GitAliases): Promise<ParsedLine> {
  // Bash and the grammar may disagree on what separates words where there are other blanks than these.
  // oxlint-disable-next-line no-control-regex
  if (source.length > LONGEST_LINE || /[\0-\x08\x0b-\x1f\x7f\x85\u2028\u2029]/.test(source)) {
    return { source, parsed: false, commands: [], opaque: ['The line holds control characters or is very long.'] };
  }
  const parser = await bashParser();
  const tree = parser.parse(source);
  if (tree === null) return { source, parsed: false, commands: [], opaque: ['The line cannot be parsed.'] };
  try {
    const found = readNodes(tree.rootNode);
    if (!found.parsed)
      return { source, parsed: false, commands: found.commands, opaque: ['The line cannot be parsed.'] };
    // The shell joins what an escaped line end divides; the grammar takes it for two words.
    const divided = /\S\\\n\S/.test(source) ? ['A word goes on behind a line end.'] : [];
    return await withStarted(source, found.commands, [...divided, ...found.opaque], depth, aliases);
  } finally {
    tree.delete();
  }
}

async function withStarted(
  source: string,
  direct: readonly SimpleCommand[],
  reasons: readonly string[],
  depth: number,
  aliases: GitAliases,
): Promise<ParsedLine> {
  const commands: SimpleCommand[] = [];
  const opaque = [...reasons];
  let parsed = true;
  const queue = direct.map((command) => ({ command, depth }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const started = findStarted(next.command);
    const assignments = [...next.command.assignments, ...namesSetBy(next.command)];
    commands.push({ ...next.command, assignments, transparent: started.transparent });
    opaque.push(...started.opaque);
    const alias = aliasLine(next.command, aliases);
    const lines = alias === null ? started.lines : [...started.lines, alias];
    const deeper = next.depth + 1;
    if (started.commands.length + lines.length > 0 && deeper > DEEPEST) {
      opaque.push('Commands start each other too deeply.');
      continue;
    }
    // Next, for a later command may run in the directory that this one changes to.
    queue.unshift(...started.commands.map((command) => ({ command, depth: deeper })));
    for (const line of lines) {
      const inner = await parseDeep(line, deeper, aliases);
      parsed &&= inner.parsed;
      commands.push(...inner.commands);
      opaque.push(...inner.opaque);
    }
  }
  if (runsWhatItWrites(commands)) opaque.push('It runs a file that it writes.');
  return { source, parsed, commands, opaque };
}

/** `cat > x <<'END' …; sh x`, `> x …; ./x`: the rules look at commands, and this hides one in a text. */
function runsWhatItWrites(commands: readonly SimpleCommand[]): boolean {
  const written = commands.flatMap(findWritten);
  if (written.length === 0) return false;
  const isWritten = (word: Word): boolean =>
    written.some((one) => (one.dynamic ? word.text.includes('/') : nameOf(one) === nameOf(word)));
  return commands.some((command) => {
    const [name, ...rest] = command.words;
    if (name === undefined) return false;
    const script = rest.find(({ text }) => !text.startsWith('-'));
    return isWritten(name) || (script !== undefined && !doesNotRunItsWords(command.words) && isWritten(script));
  });
}

/** The files that a command writes; of a copy only if it is not known what is copied. */
function findWritten({ redirections, words: [name, ...rest] }: SimpleCommand): readonly Word[] {
  const targets = redirections.flatMap(({ effect, target }) => (effect === 'write' && !target.dynamic ? [target] : []));
  if (name === undefined) return targets;
  const program = nameOf(name);
  const files = rest.filter(({ text, dynamic }) => dynamic || !text.startsWith('-'));
  if (program === 'tee') return [...targets, ...files.filter(({ dynamic }) => !dynamic)];
  const isUnknown = files.some(({ dynamic, splits }) => dynamic || splits);
  return copiesPrograms(program) && isUnknown ? [...targets, ...files.slice(-1)] : targets;
}

/** Settings with which git starts no program. The value of any other may be one. */
const HARMLESS_SETTING =
  /^(?:user|author|committer|color|advice|column|log|status|blame|versionsort)\.|^(?:core\.(?:abbrev|autocrlf|bare|eol|filemode|ignorecase|longpaths|precomposeunicode|quotepath|safecrlf|symlinks|whitespace)|init\.defaultbranch|push\.(?:default|followtags|autosetupremote)|pull\.(?:ff|rebase)|merge\.(?:ff|conflictstyle)|rebase\.(?:autostash|autosquash)|diff\.(?:algorithm|context|mnemonicprefix|noprefix|renames|renamelimit)|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|sslverify)|fetch\.(?:prune|parallel)|safe\.directory|rerere\.enabled|(?:commit|tag)\.gpgsign)$/i;
/** What git starts: by aliases and settings, `bisect run`, `submodule foreach`, options and addresses that name a program. */
function findStartedByGit(outer: SimpleCommand, words: readonly Word[]): Started {
  const { before, subcommand, behind } = gitWords(words);
  const name = subcommand?.text ?? '';
  const [first] = behind;
  if ((name === 'submodule' || name === 'bisect') && first?.dynamic === true)
    return unknown('What git starts is not known before the line runs.');
  if (
    (name === 'submodule' && behind.some(({ text }) => text === 'foreach')) ||
    (name === 'bisect' && first?.text === 'run')
  ) {
    const rest = behind
      .slice(behind.findIndex(({ text }) => text === 'foreach' || text === 'run') + 1)
      .filter(({ text }) => text !== '--recursive' && text !== '--quiet');
    return rest.length === 1
      ? startedByText(rest)
      : { ...NOTHING, commands: rest.length === 0 ? [] : [inner(outer, rest)] };
  }
  const lines: string[] = [];
  const opaque: string[] = [];
  const setting = (key: string, value: string): void => {
    const alias = /^alias\./i.test(key);
    if (alias) lines.push(value.startsWith('!') ? value.slice(1) : `git ${value}`);
    else if (!HARMLESS_SETTING.test(key)) opaque.push('A setting of git may start any command.');
  };
  const set = (text: string): void => setting(text.split('=', 1)[0] ?? '', text.slice(text.indexOf('=') + 1));
  for (const [at, { text }] of before.entries()) {
    const value = text === '-c' ? before[at + 1]?.text : /^-c(.+)$/s.exec(text)?.[1];
    if (value !== undefined) set(value);
    if (/^--(?:config-env|exec-path)/.test(text)) opaque.push('A setting of git may start any command.');
  }
  if (name === 'config') {
    const [key, value] = behind.filter(({ text }) => text.includes('.') || !/^(?:-|set$)/.test(text));
    if (
      key !== undefined &&
      value !== undefined &&
      !behind.some(({ text }) => /^--?(?:get|unset|list|remove)/.test(text))
    )
      setting(key.text, value.text);
  }
  for (const [at, { text }] of behind.entries()) {
    const config = name === 'clone' ? /^(?:-[^-bjou]*c|--conf?i?g?=?)([\s\S]*)$/.exec(text)?.[1] : undefined;
    if (config !== undefined) set(config === '' ? (behind[at + 1]?.text ?? '') : config);
  }
  const end = behind.findIndex(({ text, dynamic }) => text === '--' && !dynamic);
  if (startsByOption(name) && (end < 0 ? behind : behind.slice(0, end)).some(({ dynamic }) => dynamic))
    opaque.push('An option of git may start any command.');
  const started = outer.use.lines.map((line) => startedByText([line]));
  return {
    ...NOTHING,
    lines: [...lines, ...started.flatMap((one) => one.lines)],
    opaque: [...opaque, ...started.flatMap((one) => one.opaque)],
  };
}

/** What a command starts: other commands, lines of shell text, and what of that is not known. */
interface Started {
  readonly commands: readonly SimpleCommand[];
  readonly lines: readonly string[];
  readonly opaque: readonly string[];
  readonly transparent: boolean;
}

const NOTHING: Started = { commands: [], lines: [], opaque: [], transparent: false };
const unknown = (why: string): Started => ({ ...NOTHING, opaque: [why] });

/** Whether a path is that of the input, of an open file or of another process. */
function isDevice(path: string): boolean {
  return /^\/(?:dev|proc)\//.test(path);
}

function inner(outer: SimpleCommand, words: readonly Word[], assignments: readonly string[] = []): SimpleCommand {
  const source = words.map((word) => (word.dynamic ? '…' : word.text)).join(' ');
  return {
    source,
    words,
    assignments: [...outer.assignments, ...assignments],
    redirections: [],
    input: [],
    transparent: false,
    use: useOf(words),
    paths: [],
  };
}

/** Words that a shell joins and runs. */
function startedByText(words: readonly Word[]): Started {
  if (words.some(({ dynamic, splits }) => dynamic || splits))
    return unknown('The text of a command is not known before the line runs.');
  return words.length === 0 ? NOTHING : { ...NOTHING, lines: [words.map(({ text }) => text).join(' ')] };
}
