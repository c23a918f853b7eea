import { maskedText, operatorLine } from './secrets.ts';

/** What divides quotations, words, and a path. */
const BETWEEN = [/(['"`]+)/, /([\s'"`]+)/, /([\\/]+)/] as const;
/** A word without the dashes of an option, the ending of a file, a place in it, and the signs of a sentence. */
const CORE = /^(-*)(.+?)((?:\.[A-Za-z]{1,5})?(?::\d+)*[.,:;]*)$/s;

/**
 * A text in one line, with what looks like a secret masked: as it is, for a key may have many lines; in one line, for a
 * break may hide it; then by quotations, words and parts of paths, each without what stands around it, for that may hide it too.
 */
export function maskedLine(text: string): string {
  let line = operatorLine(maskedText(text));
  for (const between of BETWEEN) line = line.split(between).map(maskedWord).join('');
  return line;
}

function maskedWord(word: string): string {
  const [, before = '', core = '', after = ''] = CORE.exec(word) ?? [];
  const masked = maskedText(core);
  return masked === core ? word : before + masked + after;
}
