import type { Node } from 'web-tree-sitter';
import type { Word } from './types.ts';

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

export const literal = (text: string): Word => ({ text, dynamic: false, splits: false });
export const unknownWord = (splits: boolean): Word => ({ text: '', dynamic: true, splits });

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
    word = { text: word.text + part.text, dynamic: word.dynamic || part.dynamic, splits: word.splits || part.splits };
  }
  return node.childCount === 0 ? plainWord(node.text) : word;
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
  return /[{}]/.test(bare) && bare !== '{}' ? unknownWord(true) : word;
}

function readQuoted(node: Node): Word {
  const parts = node.namedChildren.filter((child) => child !== null);
  if (parts.some(({ type }) => type !== 'string_content' && type !== 'string')) return unknownWord(false);
  const text = node.text.slice(node.text.indexOf('"') + 1, -1);
  return literal(text.replaceAll(/\\([$`"\\\n])/g, (_, next: string) => (next === '\n' ? '' : next)));
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
