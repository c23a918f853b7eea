import type { Token, Tokens } from 'marked';
import { BLANK, type Line } from '../text/line.ts';
import { safeText } from '../text/safe.ts';
import { type BlockOptions, blockLines, CODE_CONTEXT, itemLines } from './blocks.ts';

/** Cuts a text into blocks. `marked.lexer`, which is loaded when the first answer comes. */
export type Lexer = (text: string) => Token[];

export interface StreamedLines {
  /** They will not change any more. */
  readonly finished: readonly Line[];
  /** The block that is still being written. */
  readonly live: readonly Line[];
}
export interface MarkdownStream {
  append(text: string): void;
  /** Lines since the last call. A live block that is higher than `height` gives up the lines that are certain. */
  take(options: BlockOptions, height: number): StreamedLines;
  /** The text is complete: everything that is left. */
  end(options: BlockOptions): readonly Line[];
  /** Whether a code block is being written, or waits: then a highlighter is needed. */
  readonly hasCode: boolean;
}

/**
 * Markdown that arrives in pieces. Every block but the last is finished, because nothing that follows can change it. Of
 * a list all items but the last are certain, of code all lines but the last.
 */
export function createMarkdownStream(lexer: Lexer): MarkdownStream {
  let pending = '';
  let written = false; // whether anything was given away, so that the next block needs a blank line before it
  let begun = false; // whether a part of the first pending block was given away
  let given = 0; // lines of it that are, and that are still part of the pending text
  let ordinal: number | undefined; // of the first pending item, where the items before it were cut off

  /** The lines of the first pending block that were not given away; then the next block is the first. */
  const rest = (token: Token, options: BlockOptions): Line[] => {
    const fresh = blockLines(token, { ...options, skip: given, ordinal }).slice(given);
    const apart = written && !begun && fresh.length > 0 ? [BLANK] : [];
    written ||= fresh.length > 0;
    [begun, given, ordinal] = [false, 0, undefined];
    return [...apart, ...fresh];
  };

  /** Cuts off what was given away of a block, so that a long one costs no more than a short one. */
  const shorten = (token: Token): void => {
    if (token.type === 'list') {
      const { items, start } = token as Tokens.List;
      const finished = items.slice(0, -1);
      pending = pending.slice(finished.reduce((sum, { raw }) => sum + raw.length, 0));
      if (typeof start === 'number') ordinal = (ordinal ?? start) + finished.length;
      given = 0;
    } else if (/^(?:```|~~~)/.test(pending)) {
      const dropped = given - CODE_CONTEXT;
      if (dropped <= 0) return;
      const [fence = '', ...lines] = pending.split('\n');
      pending = [fence, ...lines.slice(dropped)].join('\n');
      given = CODE_CONTEXT;
    }
  };

  return {
    append(text) {
      pending += text;
    },
    take(options, height) {
      pending = safeText(pending);
      const tokens = lexer(pending);
      const last = tokens.findLastIndex(isShown);
      const finished = tokens
        .slice(0, Math.max(0, last))
        .flatMap((token) => (isShown(token) ? rest(token, options) : []));
      // The raw text of the last token lacks its trailing blanks, which may matter to what follows: cut off only the rest.
      pending = pending.slice(tokens.slice(0, Math.max(0, last)).reduce((sum, { raw }) => sum + raw.length, 0));
      const token = tokens[last];
      if (token === undefined) return { finished, live: [] };
      const lines = blockLines(token, { ...options, skip: given, ordinal });
      const certain = certainLines(token, lines, options);
      const apart = written && !begun ? [BLANK] : [];
      if (lines.length - given <= height || certain <= given)
        return { finished, live: [...apart, ...lines.slice(given)] };
      finished.push(...apart, ...lines.slice(given, certain));
      [written, begun, given] = [true, true, certain];
      shorten(token);
      return { finished, live: lines.slice(certain) };
    },
    end(options) {
      pending = safeText(pending);
      const finished = lexer(pending).flatMap((token) => (isShown(token) ? rest(token, options) : []));
      pending = '';
      return finished;
    },
    get hasCode() {
      return /^\s*(?:```|~~~)/m.test(pending);
    },
  };
}

function isShown({ type }: Token): boolean {
  return type !== 'space' && type !== 'def';
}

/** How many lines of the block that is being written cannot change any more. */
function certainLines(token: Token, lines: readonly Line[], options: BlockOptions): number {
  if (token.type === 'code') return Math.max(0, lines.length - 1);
  if (token.type !== 'list') return 0;
  const list = token as Tokens.List;
  const item = list.items.at(-1);
  if (item === undefined) return 0;
  return lines.length - itemLines(list, item, list.items.length - 1, options).length;
}
