import type { Fault, Text } from './text.ts';
import { BANNED, MOST_WORDS } from './vocabulary.ts';

export function bannedWords({ line, text }: Text): readonly Fault[] {
  return BANNED.flatMap(([word, instead]) => {
    const found = word.exec(text)?.[0];
    return found === undefined ? [] : [{ line, message: `"${found}": write ${instead}` }];
  });
}

const wordsOf = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}`]/u.test(word)).length;

export function longSentences({ line, text }: Text): readonly Fault[] {
  return text
    .split(/(?<=[.!?]["')]?)(?<!\b(?:e\.g|i\.e)\.)\s+/)
    .map((sentence) => ({ sentence, words: wordsOf(sentence) }))
    .filter(({ words }) => words > MOST_WORDS)
    .map(({ sentence, words }) => ({
      line,
      message: `a sentence of ${words} words, ${MOST_WORDS} at most: ${sentence.slice(0, 60)}…`,
    }));
}
