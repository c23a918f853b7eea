import type { LocatedPath, SimpleCommand } from './bash/types.ts';
import { literal, nameOf, type Word } from './programs/program.ts';
import { copiesPrograms, doesNotRunItsWords } from './programs/table.ts';
import { matchesText } from './rule.ts';

/** The words of a pattern: separated by blanks, quotes keep blanks together. */
function patternWords(pattern: string): string[] {
  return [...pattern.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ''));
}

/** Ways to match that are tried: more than any pattern of a person needs. */
const MOST_TRIES = 20_000;

/**
 * Whether a pattern certainly covers a command. Words are compared one by one; a separate `*` matches one word or more, but no
 * option and no operand with which the program does more than its purpose, and no path outside the project. A word that is
 * unknown before the line runs is covered by such a `*` only, and never as the command's name.
 */
export function covers(pattern: string, command: SimpleCommand): boolean {
  if (command.assignments.length > 0 || command.words.length === 0) return false;
  const [name] = command.words;
  if (name === undefined || name.dynamic || name.splits) return false;
  const wanted = patternWords(pattern);
  const { words } = command;
  const written = new Set<number>();
  let tries = 0;
  const from = (head: number, at: number): boolean => {
    tries += 1;
    if (tries > MOST_TRIES) return false;
    const one = wanted[head];
    const word = words[at];
    if (one === undefined || word === undefined)
      return one === undefined && word === undefined && isPurpose(command, written);
    if (one === '*') return from(head + 1, at + 1) || from(head, at + 1);
    if (word.dynamic || !matchesText(one, word.text)) return false;
    const isWritten = isLiteral(one);
    if (isWritten) written.add(at);
    const found = from(head + 1, at + 1);
    written.delete(at);
    return found;
  };
  return from(0, 0);
}

/** Whether the person wrote the word, or an option and left its value open: `--output=*`. */
function isLiteral(pattern: string): boolean {
  return !pattern.includes('*') || /^--?[A-Za-z][\w-]*=[^*]*\*/.test(pattern);
}

/** Whether what the wildcards match is the program's purpose: see the table in `programs/`. */
function isPurpose({ use, paths }: SimpleCommand, written: ReadonlySet<number>): boolean {
  for (const [at, option] of use.beyond) if (!written.has(at) && !written.has(option)) return false;
  return paths.every((path) => written.has(path.at) || staysInside(path));
}

/** Whether a path is in the project, and what is written is none of git's own files: their contents start programs. */
export function staysInside({ role, resolved }: LocatedPath): boolean {
  if (resolved?.relative == null) return false;
  return role === 'reads' || role === 'lists' || !/(?:^|\/)\.git(?:\/|$)/i.test(resolved.relative);
}

/** Whether a command is known to change nothing, so that plan mode runs it. */
export function onlyReads({ words, assignments, redirections, use, transparent }: SimpleCommand): boolean {
  if (assignments.length > 0 || redirections.some(({ effect }) => effect === 'write')) return false;
  if (words.length === 0 || transparent) return true;
  return use.known && !use.acts && use.beyond.size === 0;
}

/** Whether it also stays in the project, so that no question is needed. The value of a variable may be a secret of the user. */
export function readsInside(command: SimpleCommand): boolean {
  const all = [...command.words, ...command.input];
  const known = all.every(({ dynamic, expanded }) => !dynamic || expanded !== undefined);
  return known && command.words.length > 0 && onlyReads(command) && command.paths.every(staysInside);
}

/**
 * Whether a pattern of an exclusion may meet a command. Everything uncertain counts as met: unknown words, other paths of
 * the program, other orders and spellings of options, and commands that an unknown program may start with its words.
 */
export function mayMatch(pattern: string, command: SimpleCommand): boolean {
  const wanted = patternWords(pattern);
  const { words } = command;
  if (setsVariablesTo(wanted, command)) return true;
  if (words.length === 0) return false;
  if (meets(wanted, words)) return true;
  const [name, ...rest] = words;
  if (name === undefined) return false;
  const [program = ''] = wanted;
  if (copiesPrograms(nameOf(name)) && rest.some((word) => word.text.includes('/') && nameOf(word) === program))
    return true;
  if (doesNotRunItsWords(words)) return false;
  if (rest.some((_, at) => meets(wanted, rest.slice(at)))) return true;
  const texts = [...rest, ...command.input].map(({ text }) => text);
  return texts.some((text) => mentions(text, program) || holds(text, wanted));
}

/** `python -c "os.system('touch x')"`, `awk 'BEGIN { system("touch x") }'` */
function mentions(text: string, program: string): boolean {
  return !program.includes('*') && /[\s;|&()'"`]/.test(text) && text.split(/[^\w.+-]+/).includes(program);
}

/** `--checkpoint-action=exec=touch`, `EDITOR='touch x'`: a command inside a word. */
function holds(text: string, wanted: readonly string[]): boolean {
  if (!/[^\w./+-]/.test(text)) return false;
  const words = text
    .split(/[^\w./+-]+/)
    .filter(Boolean)
    .map(literal);
  return words.some((_, at) => meets(wanted, words.slice(at)));
}

/** `PAGER='touch x' git log`: programs run the value of some variables. */
function setsVariablesTo(wanted: readonly string[], { assignments, source, words }: SimpleCommand): boolean {
  if (assignments.length === 0) return false;
  const name = words[0] === undefined ? -1 : source.indexOf(words[0].text);
  return holds(name > 0 ? source.slice(0, name) : source, wanted);
}

function meets(pattern: readonly string[], words: readonly Word[]): boolean {
  const [head = '', ...rest] = pattern;
  const [name, ...others] = words;
  if (name === undefined) return false;
  if (
    !name.dynamic &&
    !name.splits &&
    ![name.text, nameOf(name)].some((text) => matchesText(head.toLowerCase(), text.toLowerCase()))
  )
    return false;
  const options = rest.filter((one) => isOption(one));
  if (!options.every((option) => hasOption(others, option))) return false;
  return operandsMeet(
    rest.filter((one) => !isOption(one)),
    others,
  );
}

const isOption = (word: string): boolean => /^-./.test(word) && word !== '--';

/** `-rf` is met by `-r -f`, `--force` by what it may be shortened to. */
function hasOption(words: readonly Word[], option: string): boolean {
  if (words.some(({ dynamic, splits }) => dynamic || splits)) return true;
  const texts = words.map(({ text }) => text);
  if (texts.some((text) => matchesText(option, text))) return true;
  if (option.startsWith('--')) {
    return texts.some((text) =>
      /^--\w/.test(text) && option.startsWith(text.split('=', 1)[0] ?? text) ? true : text.startsWith(`${option}=`),
    );
  }
  const letters = texts.filter((text) => /^-[^-]/.test(text)).join('');
  return (
    /^-[A-Za-z]+$/.test(option) &&
    option
      .slice(1)
      .split('')
      .every((letter) => letters.includes(letter))
  );
}

/** Operands in their order; options, and the word after one, may be between them. */
function operandsMeet(pattern: readonly string[], words: readonly Word[]): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined)
    return words.every(({ text, dynamic }, at) => dynamic || isOption(text) || isOption(words[at - 1]?.text ?? ''));
  if (head === '*' && rest.length === 0) return true;
  const [word, ...others] = words;
  if (word === undefined) return head === '*' && operandsMeet(rest, words);
  if (word.dynamic || word.splits) return true;
  if (head === '*') return operandsMeet(rest, words) || operandsMeet(pattern, others);
  if (matchesText(head, word.text) && operandsMeet(rest, others)) return true;
  if (isOption(word.text) || word.text === '--')
    return operandsMeet(pattern, others) || operandsMeet(pattern, others.slice(1));
  return false;
}
