import { Marked } from 'marked';
import type { Lexer } from './stream.ts';

const marked = new Marked({ gfm: true });

/** CommonMark with GitHub's tables, task lists and strikethrough. */
export const lexer: Lexer = (text) => marked.lexer(text);
