import { homedir } from 'node:os';
import type { Node } from 'web-tree-sitter';
import { literal, nameOf, unknownWord, type Word } from '../programs/program.ts';
import type { SimpleCommand } from './types.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Variables whose value is known; `.` is the working directory wherever the line changes it to. */
const KNOWN = /\$(?:\{(HOME|PWD)\}|(HOME|PWD)(?!\w))/g;

/** The word of a node of the grammar. A word that is not known to be literal is dynamic. */
export function wordOf(node: Node): Word {
  switch (node.type) {
    case 'command_name':
      return joinNode(node);
    case 'concatenation':
      return withBraces(joinNode(node), node.text);
    case 'word':
      return withBraces(plainWord(node.text), node.text);
    case 'number':
    case 'test_operator':
    case 'variable_name':
      return node.childCount === 0 ? literal(node.text) : unknownWord(true);
    case 'raw_string':
      return literal(node.text.slice(1, -1));
    case 'ansi_c_string':
      return literal(unescapeAnsi(node.text.slice(2, -1)).split('\0')[0] ?? ''); // Bash ends it at a NUL
    case 'string':
    case 'translated_string':
      return readQuoted(node);
    case 'process_substitution':
      return unknownWord(false);
    case 'simple_expansion':
    case 'expansion':
      return expansion(node);
    default:
      return unknownWord(true);
  }
}

function joinNode(node: Node): Word {
  let word = literal('');
  let at = node.startIndex;
  for (const child of node.children) {
    if (child === null) continue;
    // What the grammar leaves out between the parts of one word is an escaped line end.
    if (
      child.startIndex > at &&
      !/^(?:\\\r?\n)*$/.test(node.text.slice(at - node.startIndex, child.startIndex - node.startIndex))
    )
      return unknownWord(true);
    at = child.endIndex;
    const part = wordOf(child);
    word = join(word, part);
  }
  return node.childCount === 0 ? plainWord(node.text) : word;
}

function join(one: Word, other: Word): Word {
  const text = one.text + other.text;
  const splits = one.splits || other.splits;
  if (!one.dynamic && !other.dynamic) return { text, dynamic: false, splits };
  const expanded = [one, other].map((word) => (word.dynamic ? word.expanded : word.text));
  const known = expanded.every((part) => part !== undefined);
  return { text, dynamic: true, splits, ...(known ? { expanded: expanded.join('') } : {}) };
}

/** `$HOME` and `$PWD`, whose values are known unless the line sets them. */
function expansion(node: Node): Word {
  return node.text.replaceAll(KNOWN, '') === ''
    ? { ...unknownWord(true), expanded: withKnown(node.text) }
    : unknownWord(true);
}

function withKnown(text: string): string {
  return text.replaceAll(KNOWN, (_, braced?: string, bare?: string) => ((braced ?? bare) === 'HOME' ? homedir() : '.'));
}

/** A text without quotes: a backslash keeps the next character; a line end behind it disappears. */
function plainWord(text: string): Word {
  if (/(?<!\\)\s/.test(text)) return unknownWord(true); // No word of the shell contains a blank: the parse is wrong.
  const glob = /(?:^|[^\\])(?:\\\\)*[*?[]/.test(text);
  const plain = text.replaceAll(/\\([\s\S]?)/g, (_, next: string) => (next === '\n' ? '' : next));
  return { text: plain, dynamic: false, splits: glob };
}

/** `{a,b}` and `{1..3}` become several words. The grammar may take one brace for that of a group, so any counts; `{}` is none. */
function withBraces(word: Word, source: string): Word {
  const bare = source.replaceAll(/\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, '_');
  if (source === '{}') return literal(source);
  return /[{}]/.test(bare) ? unknownWord(true) : word;
}

function readQuoted(node: Node): Word {
  const parts = node.namedChildren.filter((child) => child !== null);
  const others = parts.filter(({ type }) => type !== 'string_content' && type !== 'string');
  const text = node.text.slice(node.text.indexOf('"') + 1, -1);
  if (others.length === 0) return literal(unescapeQuoted(text));
  const known = others.every((one) => expansion(one).expanded !== undefined) && !/\\\$/.test(text);
  return known ? { ...unknownWord(false), expanded: unescapeQuoted(withKnown(text)) } : unknownWord(false);
}

function unescapeQuoted(text: string): string {
  return text.replaceAll(/\\([$`"\\\n])/g, (_, next: string) => (next === '\n' ? '' : next));
}

function unescapeAnsi(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g,
    (_, hex?: string, short?: string, long?: string, octal?: string, control?: string, other = '') => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return codePoint(Number.parseInt(code, 16));
      if (octal !== undefined) return codePoint(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return codePoint(control.charCodeAt(0) & 0x1f);
      return ESCAPES[other] ?? (/[\\'"?]/.test(other) ? other : `\\${other}`);
    },
  );
}

function codePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

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
