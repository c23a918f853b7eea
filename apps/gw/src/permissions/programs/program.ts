/** What the table says of a program, or of one of its subcommands. */
export interface Program {
  /** Names that blanks divide. */
  readonly names?: string;
  /** In the notation of `readNotation`. */
  readonly options?: string;
  readonly stops?: true;
  readonly single?: true;
  /** What its operands are to it; `data` unless said. */
  readonly operands?: Role;
  /** It changes or runs something: a rule may cover it, plan mode does not. Else it only reads. */
  readonly acts?: true;
  /** A rule has to name it: it starts whatever its words or settings say. */
  readonly beyond?: true;
  /** No option, known or not, writes or starts anything, but for those that the notation marks. */
  readonly harmless?: true;
  /** Its words are no options as getopt knows them: `judge` reads all of them. */
  readonly raw?: true;
  /** It neither runs nor evaluates its words. */
  readonly inert?: true;
  /** It gives a program another name: `ln -s /usr/bin/touch t; ./t x`. */
  readonly copies?: true;
  /** What the options and operands mean beyond their notation. */
  readonly judge?: (given: Given, use: UseBuilder, words: readonly Word[]) => void;
  /** By names that blanks divide; the options of the program stand before them. */
  readonly subcommands?: Readonly<Record<string, Program>>;
}

/** A path that a command uses. */
export interface PathUse extends Item {
  readonly role: 'lists' | 'reads' | 'writes' | 'removes' | 'discards';
  /** With everything below. */
  readonly deep: boolean;
}

/** What a command does with its words. */
export interface Use {
  /** The program is in the table. */
  readonly known: boolean;
  readonly acts: boolean;
  /** Positions of words that a wildcard does not cover, each with the position of the option that a rule has to name. */
  readonly beyond: ReadonlyMap<number, number>;
  readonly paths: readonly PathUse[];
  /** Values of options that a shell runs. */
  readonly lines: readonly Word[];
  /** Why it always asks: a sentence without its end. */
  readonly destroys: string | null;
}

export interface UseBuilder {
  acts: boolean;
  destroys: string | null;
  readonly lines: Word[];
  beyond(at: number, option?: number): void;
  path(role: PathUse['role'], item: Item, deep?: boolean): void;
}

/** Finds out what a command does, by the table. */
export function describeUse(words: readonly Word[], find: (name: string) => Program | undefined): Use {
  const beyond = new Map<number, number>();
  const paths: PathUse[] = [];
  const use: UseBuilder = {
    acts: false,
    destroys: null,
    lines: [],
    beyond: (at, option = at) => void beyond.set(at, option),
    path: (role, item, deep = false) => void paths.push({ ...item, role, deep }),
  };
  const [first] = words;
  const written = first?.dynamic === false && !first.splits ? first.text : '';
  const name = written.slice(written.lastIndexOf('/') + 1).toLowerCase();
  const program = name === '' ? undefined : find(name);
  if (program === undefined) judgeUnknown(words, 1, use);
  else apply(program, words, 1, use);
  if (program !== undefined && written !== name) {
    // Another program may have this name.
    use.acts = true;
    for (const [at, word] of words.entries()) if (at > 0 && isUnsafe(word)) use.beyond(at);
  }
  return { known: program !== undefined, acts: use.acts, beyond, paths, lines: use.lines, destroys: use.destroys };
}

function isUnsafe(word: Word): boolean {
  const text = literalOf({ word });
  return text === null || mayBecomeOption(word) || /^(?:-(?!-?$)|[+@])/.test(text);
}

/** Of a program that is not in the table a rule covers words, and no options. */
function judgeUnknown(words: readonly Word[], start: number, use: UseBuilder): void {
  use.acts = true;
  for (const [at, word] of words.entries()) {
    if (at < start) continue;
    if (isUnsafe(word)) use.beyond(at);
    const text = literalOf({ word });
    const value =
      text === null ? null : /^-[^=]*=(.*)$/s.test(text) ? partOf(word, afterSign) : text.startsWith('-') ? null : word;
    if (value !== null) use.path('reads', { word: value, at });
  }
}

function afterSign(text: string): string {
  return text.slice(text.indexOf('=') + 1);
}

const syntaxes = new WeakMap<Program, Syntax>();
function syntaxOf(program: Program): Syntax {
  let syntax = syntaxes.get(program);
  if (syntax === undefined) {
    const stops = program.stops === true || program.subcommands !== undefined;
    syntax = { table: readNotation(program.options ?? ''), stops, single: program.single === true };
    syntaxes.set(program, syntax);
  }
  return syntax;
}

/** The options and operands of a program in the table. */
export function optionsOf(program: Program, words: readonly Word[], start = 1): Given {
  return readOptions(words, start, syntaxOf(program));
}

const NOTHING_GIVEN: Given = { options: [], operands: [], unknown: [], guesses: [], end: 0, dashes: -1 };

function apply(program: Program, words: readonly Word[], start: number, use: UseBuilder): void {
  const given = program.raw === true ? NOTHING_GIVEN : optionsOf(program, words, start);
  const harmless = program.harmless === true;
  if (program.acts === true) use.acts = true;
  for (const { option, at, value } of given.options) {
    if (option.acts) use.acts = true;
    if (option.beyond) {
      use.acts = true;
      use.beyond(at);
      if (value !== null) use.beyond(value.at, at);
    }
    if (value === null || option.value === null || option.value === 'data') continue;
    if (option.value === 'line') use.lines.push(value.word);
    else use.path(option.value, value);
  }
  if (!harmless) for (const at of given.unknown) use.beyond(at);
  for (const item of given.guesses) use.path(harmless ? 'reads' : 'writes', item);
  if (program.subcommands !== undefined) applySubcommand(program.subcommands, words, given, use);
  else {
    const role = program.operands ?? 'data';
    if (role !== 'data' && role !== 'line') for (const item of given.operands) use.path(role, item);
  }
  program.judge?.(given, use, words);
}

function applySubcommand(
  subcommands: Readonly<Record<string, Program>>,
  words: readonly Word[],
  { end }: Given,
  use: UseBuilder,
): void {
  const word = words[end];
  if (word === undefined) return;
  const text = word.dynamic || word.splits ? null : word.text;
  const entry = Object.entries(subcommands).find(([names]) => text !== null && names.split(' ').includes(text));
  if (entry !== undefined) {
    if (entry[1].beyond === true) use.beyond(end);
    apply(entry[1], words, end + 1, use);
    return;
  }
  use.beyond(end);
  judgeUnknown(words, end + 1, use);
}

/** Whether one of these options is given, by the first of its names. */
export function has(given: Given, ...names: readonly string[]): boolean {
  return given.options.some(({ option }) => names.includes(option.name));
}

export function valuesOf(given: Given, ...names: readonly string[]): readonly Item[] {
  return given.options.flatMap(({ option, value }) => (value !== null && names.includes(option.name) ? [value] : []));
}

/** Where a copy of `source` is in a folder. */
export function inFolder(folder: Item, source: Item): Item {
  const [to, from] = [literalOf(folder), literalOf(source)];
  if (to === null || from === null) return folder;
  const name = from.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return { word: { ...literal(`${to}/${name}`), splits: folder.word.splits || source.word.splits }, at: folder.at };
}

/** What a value is to the program that gets it. `lists`: it looks up names and attributes, not contents. */
type Role = 'data' | 'lists' | 'reads' | 'writes' | 'removes' | 'line';

interface Option {
  readonly name: string;
  /** Null: it takes none. */
  readonly value: Role | null;
  /** A value stands in the same word or not at all. */
  readonly optional: boolean;
  /** With it the program writes, starts or loads something besides its purpose: a wildcard does not cover it. */
  readonly beyond: boolean;
  /** With it a program that else only reads changes something. */
  readonly acts: boolean;
}
interface OptionTable {
  readonly byName: ReadonlyMap<string, Option>;
  readonly longNames: readonly string[];
}
interface GivenOption {
  readonly option: Option;
  readonly at: number;
  readonly value: Item | null;
}
export interface Given {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Item[];
  /** Positions of words that are not in the table, or may become an option when the line runs. */
  readonly unknown: readonly number[];
  /** What such words may name. */
  readonly guesses: readonly Item[];
  /** The first position behind the options, where they end at the first operand. */
  readonly end: number;
  /** Position of `--`; -1 where there is none. */
  readonly dashes: number;
}

const KINDS: Readonly<Record<string, Role>> = { ':': 'data', '<': 'reads', '>': 'writes', $: 'line', '~': 'lists' };

/**
 * Reads the notation of options: names that a comma divides, then signs. `:` it takes a value, `<` a file that it reads, `>` one
 * that it writes, `~` a path that it looks up, `$` a command for the shell; `?` behind it: the value is optional. `!` beyond the
 * purpose, `*` it acts. `-#` is any number.
 */
function readNotation(notation: string): OptionTable {
  const byName = new Map<string, Option>();
  for (const entry of notation.split(/\s+/).filter(Boolean)) {
    const [, names = '', signs = ''] = /^((?:[-+][^!*:<>$~?,]+|-\?|,)+)([!*:<>$~?]*)$/.exec(entry) ?? [];
    if (names === '') throw new Error(`Not an option: ${entry}`);
    const kind = /[:<>$~]/.exec(signs)?.[0];
    const optional = signs.includes('?');
    const value = kind === undefined ? (optional ? 'data' : null) : (KINDS[kind] ?? null);
    const [name = ''] = names.split(',');
    const option = { name, value, optional, beyond: /[!$]/.test(signs), acts: signs.includes('*') };
    for (const one of names.split(',')) byName.set(one, option);
  }
  return { byName, longNames: [...byName.keys()].filter((name) => name.startsWith('--')) };
}

interface Syntax {
  readonly table: OptionTable;
  /** Options end at the first operand. */
  readonly stops: boolean;
  /** `-name value`: one dash before long names, and no letters put together. */
  readonly single: boolean;
}

/** Divides the words from `start` into options with their values, and operands, as getopt does. */
function readOptions(words: readonly Word[], start: number, { table, stops, single }: Syntax): Given {
  const options: GivenOption[] = [];
  const operands: Item[] = [];
  const unknown: number[] = [];
  const guesses: Item[] = [];
  let dashes = -1;
  let at = start;

  const give = (option: Option, attached: Word | null, bare: boolean): void => {
    const position = at;
    if (option.value === null || (attached === null && option.optional)) {
      if (attached !== null) unknown.push(at);
      options.push({ option, at, value: null });
      return;
    }
    if (attached !== null) {
      options.push({ option, at, value: { word: attached, at } });
      return;
    }
    const next = bare ? words[at + 1] : undefined;
    if (next !== undefined) at += 1;
    options.push({ option, at: position, value: next === undefined ? null : { word: next, at } });
  };
  const guess = (value: Word | null): void => {
    unknown.push(at);
    if (value !== null) guesses.push({ word: value, at });
  };
  const cluster = (word: Word, text: string): void => {
    for (let letter = 1; letter < text.length; letter += 1) {
      const option = table.byName.get(`-${text[letter]}`);
      const rest = letter + 1 < text.length ? partOf(word, (all) => all.slice(letter + 1)) : null;
      if (option === undefined) {
        guess(rest);
        return;
      }
      if (option.value === null) give(option, null, false);
      else {
        give(option, rest, true);
        return;
      }
    }
  };

  for (; at < words.length; at += 1) {
    const word = words[at] ?? literal('');
    const text = literalOf({ word });
    if (dashes >= 0 || text === '-' || (text !== null && !/^[-+]/.test(text) && !mayBecomeOption(word))) {
      if (stops && dashes < 0) break;
      operands.push({ word, at });
      continue;
    }
    if (text === null || mayBecomeOption(word)) {
      unknown.push(at);
      if (stops) break;
      operands.push({ word, at });
      continue;
    }
    if (text === '--') {
      dashes = at;
      if (!stops) continue;
      at += 1;
      break;
    }
    const exact = table.byName.get(text);
    if (exact !== undefined) give(exact, null, true);
    else if (text.startsWith('+')) {
      operands.push({ word, at });
      unknown.push(at);
    } else if (/^-\d+$/.test(text) && table.byName.has('-#')) continue;
    else if (text.startsWith('--') || single) {
      const length = text.indexOf('=');
      const name = length < 0 ? text : text.slice(0, length);
      const attached = length < 0 ? null : partOf(word, (all) => all.slice(all.indexOf('=') + 1));
      const found = findLong(table, name, single);
      if (found === null) guess(attached);
      else give(found, attached, true);
    } else cluster(word, text);
  }
  return { options, operands, unknown, guesses, end: at, dashes };
}

/** The option of a long name, which GNU programs and git also take shortened; null where it is not in the table or not clear. */
function findLong({ byName, longNames }: OptionTable, name: string, single: boolean): Option | null {
  const exact = byName.get(name) ?? (single && name.startsWith('--') ? byName.get(name.slice(1)) : undefined);
  if (exact !== undefined) return exact;
  const candidates = longNames.filter((one) => name.length > 2 && one.startsWith(name));
  const [first, ...others] = new Set(candidates.map((one) => byName.get(one)));
  if (first === undefined) return null;
  // The worst of several: which one the program takes depends on its version.
  return others.reduce<Option>((one, other) => (other?.beyond === true || other?.acts === true ? other : one), first);
}

/** One word of a command, as the shell passes it on. */
export interface Word {
  /** The literal text: quotes and escapes removed. Without meaning where the word is dynamic. */
  readonly text: string;
  /** Its value is not known before the line runs: it contains an expansion, a substitution or a brace list. */
  readonly dynamic: boolean;
  /** It may become several words or none: unquoted expansion, glob or brace list. */
  readonly splits: boolean;
  /** The text of a dynamic word in which only `$HOME` and `$PWD` are not literal: with the home directory and `.` for them. */
  readonly expanded?: string;
}

/** A word at its position in the command; the value of `--name=value` has the position of its word. */
export interface Item {
  readonly word: Word;
  readonly at: number;
}

export const literal = (text: string): Word => ({ text, dynamic: false, splits: false });
export const unknownWord = (splits: boolean): Word => ({ text: '', dynamic: true, splits });

/** The last part of a command's path. */
export function nameOf(word: Word): string {
  return word.text.slice(word.text.lastIndexOf('/') + 1);
}

/** The text of a word, as far as it is known before the line runs. */
export function literalOf({ word }: { readonly word: Word }): string | null {
  return word.dynamic ? (word.expanded ?? null) : word.text;
}

/** Whether the shell replaces the word by names of files that may begin with a dash. */
function mayBecomeOption(word: Word): boolean {
  const text = word.dynamic ? word.expanded : word.text;
  return text === undefined || (word.splits && /^[*?[-]/.test(text));
}

/** A part of a word that is as well known as the whole. */
export function partOf(word: Word, change: (text: string) => string): Word {
  const expanded = word.expanded === undefined ? {} : { expanded: change(word.expanded) };
  return { ...word, text: change(word.text), ...expanded };
}
