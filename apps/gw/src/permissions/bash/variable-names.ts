import { nameOf, type Word } from '../programs/word.ts';
import type { SimpleCommand } from './types.ts';

/** A variable of the line alone: no program looks for a name in small letters, but for those of proxies. */
export const HARMLESS_NAME = /^(?!.*_proxy$)[a-z_][a-z0-9_]*$/;
/** Variables whose values Bash evaluates: as a file of commands, as a prompt, as a number. */
export const EVALUATED =
  /^(?:BASH_ENV|ENV|GIT_CONFIG.*|GIT_EXEC_PATH|PS4|PROMPT_COMMAND|HISTCMD|OPTIND|S?RANDOM|SECONDS)$/;
/** `name[index]` with an index that is no number. Bash evaluates it, and the values of variables in it may run commands. */
const SUBSCRIPTED = /^(?:[A-Za-z_]\w*)?\[(?!(?:\d+|@|\*)\])/;
/** Options of `read` that take the next word, which is no name. */
const READ_VALUES = /^-[A-Za-z]*[dinNptu]$/;
const DECLARES = new Set(['declare', 'typeset', 'local', 'readonly']);

/** Whether a builtin evaluates a word as the name of a variable or as a number, and what it evaluates may run commands. */
export function evaluatesWords(name: string, words: readonly Word[]): boolean {
  const [first, second] = words;
  if (name === 'let') return words.some(({ text, dynamic }) => dynamic || /[^\d\s()<>=!&|^~?:,*/%+-]/.test(text));
  if (name === 'export') return words.some(({ text }) => isEvaluatedName(text));
  if (DECLARES.has(name)) return words.some(declaresEvaluated);
  if (name === 'test' && words.some(({ dynamic, splits }) => dynamic && splits)) return true;
  if (name === 'printf' && first?.dynamic === true && (first.splits || second?.dynamic === true)) return true;
  return namesIn(name, words).some(({ text, dynamic }) => dynamic || SUBSCRIPTED.test(text) || isEvaluatedName(text));
}

/** The variables that a builtin sets, without those that no program looks for. */
export function namesSetBy({ words: [name, ...rest] }: SimpleCommand): readonly string[] {
  if (name === undefined || name.dynamic) return [];
  const program = nameOf(name);
  if (!['read', 'printf', 'wait', 'getopts'].includes(program)) return [];
  return namesIn(program, rest).flatMap(({ text, dynamic }) => (dynamic || HARMLESS_NAME.test(text) ? [] : [text]));
}

/** The words of a builtin that are names of variables. */
function namesIn(name: string, words: readonly Word[]): readonly Word[] {
  const behind = (option: RegExp): readonly Word[] =>
    words.filter((_, at) => at > 0 && (words[at - 1]?.dynamic === true || option.test(words[at - 1]?.text ?? '')));
  switch (name) {
    case 'test':
      return behind(/^-[vR]$/);
    case 'wait':
      return behind(/^-[A-Za-z]*p$/);
    case 'printf': {
      const [first] = words;
      if (first === undefined || (!first.dynamic && !first.text.startsWith('-v'))) return [];
      return first.dynamic || first.text === '-v' ? words.slice(1, 2) : [{ ...first, text: first.text.slice(2) }];
    }
    case 'getopts':
      return words.slice(1, 2);
    case 'read':
      return operandsOf(words).filter((word) => !READ_VALUES.test(words[words.indexOf(word) - 1]?.text ?? ''));
    case 'unset':
      return operandsOf(words);
    default:
      return [];
  }
}

function operandsOf(words: readonly Word[]): readonly Word[] {
  return words.filter(({ text, dynamic }) => dynamic || !text.startsWith('-'));
}

/** An integer evaluates what it is assigned, a reference what it names. */
function declaresEvaluated({ text, dynamic }: Word): boolean {
  if (dynamic ? !/^\w+=/.test(text) : /^-[A-Za-z]*[in]/.test(text)) return true;
  return SUBSCRIPTED.test(text) || isEvaluatedName(text);
}

function isEvaluatedName(text: string): boolean {
  return EVALUATED.test(text.split('=', 1)[0] ?? '');
}
