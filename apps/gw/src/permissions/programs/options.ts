import { type Item, literal, literalOf, mayBecomeOption, partOf, type Word } from './word.ts';

/** What a value is to the program that gets it. `lists`: it looks up names and attributes, not contents. */
export type Role = 'data' | 'lists' | 'reads' | 'writes' | 'removes' | 'line';

export interface Option {
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
export interface OptionTable {
  readonly byName: ReadonlyMap<string, Option>;
  readonly longNames: readonly string[];
}
export interface GivenOption {
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
export function readNotation(notation: string): OptionTable {
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

export interface Syntax {
  readonly table: OptionTable;
  /** Options end at the first operand. */
  readonly stops: boolean;
  /** `-name value`: one dash before long names, and no letters put together. */
  readonly single: boolean;
}

/** Divides the words from `start` into options with their values, and operands, as getopt does. */
export function readOptions(words: readonly Word[], start: number, { table, stops, single }: Syntax): Given {
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
