import { eachWritten } from './letters.ts';
import { findUnspacedWords, piecesOf } from './unspaced.ts';

/** A word of a text or question. */
export interface Word {
  /** Lower case, without marks: `streamText` and `stream_text` are both `streamtext`. */
  readonly whole: string;
  /** For display: an identifier as written, any other word in lower case. */
  readonly shown: string;
  /** What an identifier is made of (`stream`, `text`); empty for a plain word. */
  readonly parts: readonly string[];
  /** For a word in a script without spaces, the terms that together represent it; empty for all others. */
  readonly pairs: readonly string[];
}

/** Longer runs are encoded data, not words. */
const LONGEST = 60;

const IDENTIFIER_BOUNDARY = /[_.]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const UNSEEN = /[\u00ad\u200c\u2060]|\u200d/g;
const VERSION = /^[vV]?(\d+(?:\.\d+)+)$/;

/** Takes a run of a script with spaces apart; null for one that is no word. */
export function wordOf(written: string): Word | null {
  if (written.length > LONGEST) return null;
  const plain = written
    .replace(UNSEEN, '')
    .replace(/['\u2019]s$/, '')
    .replace(/['\u2019]/g, '');
  const version = VERSION.exec(plain)?.[1];
  if (version !== undefined) return { whole: version, shown: version, parts: version.split('.'), pairs: [] };
  const parts = plain
    .split(IDENTIFIER_BOUNDARY)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
  const whole = parts.join('');
  return parts.length > 1 ? { whole, shown: plain, parts, pairs: [] } : { whole, shown: whole, parts: [], pairs: [] };
}

/** All words of a question, in order. */
export function wordsOf(question: string): Word[] {
  const words: Word[] = [];
  const take = (word: Word | null): void => {
    if (word !== null && word.whole !== '') words.push(word);
  };
  eachWritten(question, (written) => {
    const pieces = piecesOf(written);
    if (pieces === null) take(wordOf(written));
    for (const piece of pieces ?? []) {
      if (piece.kind === 'spaced') take(wordOf(piece.text));
      else
        for (const { word, terms } of findUnspacedWords(piece))
          take({ whole: word, shown: word, parts: [], pairs: terms });
    }
  });
  return words;
}
