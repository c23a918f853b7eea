import { maskText, operatorLine } from './secrets.ts';

/** What divides quotations, words, and a path. */
const BETWEEN = [/(['"`]+)/, /([\s'"`]+)/, /([\\/]+)/] as const;
/** A word without the dashes of an option, a file extension, a line number, and punctuation. */
const CORE = /^(-*)(.+?)((?:\.[A-Za-z]{1,5})?(?::\d+)*[.,:;]*)$/s;

/**
 * A text in one line, with possible secrets masked. It is scanned as given, since a key may have many lines; in one line, since
 * a break may hide it; then by quotations, words and path segments, since their context may hide it.
 */
export function maskLine(text: string): string {
  let line = operatorLine(maskText(text));
  for (const between of BETWEEN) line = line.split(between).map(maskWord).join('');
  return line;
}

function maskWord(word: string): string {
  const [, before = '', core = '', after = ''] = CORE.exec(word) ?? [];
  const masked = maskText(core);
  return masked === core ? word : before + masked + after;
}
