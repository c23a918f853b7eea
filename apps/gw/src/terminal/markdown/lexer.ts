import { Marked, type Token } from 'marked';
import { deepBlock } from './nesting.ts';
import type { Lexer } from './stream.ts';

const marked = new Marked({ gfm: true });

/**
 * CommonMark with GitHub's tables, task lists and strikethrough. A block that is nested too deeply for the parser is a
 * paragraph of its lines.
 */
export const lexer: Lexer = (text) => {
  const tokens: Token[] = [];
  let rest = text;
  for (let deep = deepBlock(rest); deep !== null; deep = deepBlock(rest)) {
    tokens.push(...blocksOf(rest.slice(0, deep.from)), plain(rest.slice(deep.from, deep.to)));
    rest = rest.slice(deep.to);
  }
  return tokens.length === 0 ? blocksOf(text) : [...tokens, ...blocksOf(rest)];
};

function blocksOf(text: string): Token[] {
  try {
    return marked.lexer(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [plain(text)];
  }
}

function plain(raw: string): Token {
  const lines = raw.split('\n').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
  const tokens = lines.flatMap((text, at): Token[] => [
    ...(at === 0 ? [] : [{ type: 'br' as const, raw: '\n' }]),
    { type: 'text' as const, raw: text, text },
  ]);
  return { type: 'paragraph', raw, text: lines.join('\n'), tokens };
}
