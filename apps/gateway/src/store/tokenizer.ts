import type * as Vocabulary from './vocabulary.ts';

/** Counts the tokens of a text. */
export type Tokenizer = (text: string) => Promise<number>;

/** UTF-16 units counted in one turn of the event loop, so that a long text does not delay other calls. */
const TURN = 16 * 1024;

/**
 * Longest piece, in UTF-16 units, that is counted at once. The tokenizer's time is quadratic in the length of a run without a
 * space, and callers choose that length: 16,384 Chinese characters took 2.5 s, and take 60 ms in pieces.
 */
const LONGEST_PIECE = 256;

type Count = (text: string) => number;
let loading: Promise<Count> | null = null;

/** Beside this file in the sources, beside the gateway's program in an artifact (toolchain/build.ts). */
const VOCABULARY = new URL(import.meta.url.endsWith('.ts') ? './vocabulary.ts' : './vocabulary.js', import.meta.url);

/** Loaded when first needed: most providers report their usage, and the tables take some 40 MB. */
function load(): Promise<Count> {
  loading ??= (import(VOCABULARY.href) as Promise<typeof Vocabulary>).then(
    ({ countTokens }) =>
      (text) =>
        countTokens(text, { disallowedSpecial: new Set() }),
  );
  return loading;
}

/** A text in pieces that are cut before a space, where no token is cut, or without spaces between two characters. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = start + LONGEST_PIECE;
    if (end < text.length) {
      const space = text.slice(start + 1, end + 1).lastIndexOf(' ');
      if (space >= 0) end = start + 1 + space;
      else if (isSecondHalf(text, end)) end -= 1;
    }
    yield text.slice(start, end);
    start = end;
  }
}

/** Whether a pair of surrogates would be cut there. */
function isSecondHalf(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/**
 * Counts the tokens of a text, for an answer whose provider reported none (relay-26). It is an estimate: the model behind
 * may use another vocabulary, and where a long run without a space is cut, a token may be cut in two.
 */
export async function countTokens(text: string): Promise<number> {
  if (text === '') return 0;
  const count = await load();
  let tokens = 0;
  let units = 0;
  for (const piece of piecesOf(text)) {
    tokens += count(piece);
    units += piece.length;
    if (units < TURN) continue;
    units = 0;
    await new Promise(setImmediate);
  }
  return tokens;
}
