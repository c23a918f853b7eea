import { type Given, type Role, readNotation, readOptions, type Syntax } from './options.ts';
import { type Item, literal, literalOf, mayBecomeOption, partOf, type Word } from './word.ts';

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
