import type * as Vocabulary from './vocabulary.ts';

/** A text is counted in slices of this many UTF-16 units, so that a long one does not hold up other calls. */
const SLICE = 16 * 1024;

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

/**
 * Counts the tokens of a text, for an answer whose provider reported none (decisions §8). It is an estimate: the model behind
 * may use another vocabulary, and each slice boundary may cut a token in two.
 */
export async function countTokens(text: string): Promise<number> {
  if (text === '') return 0;
  const count = await load();
  let tokens = 0;
  for (let start = 0; start < text.length; start += SLICE) {
    tokens += count(text.slice(start, start + SLICE));
    if (start + SLICE < text.length) await new Promise(setImmediate);
  }
  return tokens;
}
