import { Marked } from 'marked';
import type { Lexer } from './stream.ts';

const marked = new Marked({ gfm: true });

/** Quotes in quotes, which take a level of the stack each. Nobody writes so many. */
const TOO_DEEP = /^(?:[ \t]*>){50}/m;

/** CommonMark with GitHub's tables, task lists and strikethrough. A text that is nested too deeply is one paragraph. */
export const lexer: Lexer = (text) => {
  try {
    if (!TOO_DEEP.test(text)) return marked.lexer(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return [{ type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text }] }];
};
