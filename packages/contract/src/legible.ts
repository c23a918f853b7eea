/**
 * Line breaks, control characters, marks of direction, and what has no width. Joiners (U+200C, U+200D) and variation selectors stay:
 * Persian, Indic scripts and emoji are not written without.
 */
const UNSEEN =
  /(?![\u200c\u200d\p{Variation_Selector}])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** Whether a text contains invisible characters, or direction controls: one name could look like another. */
export const hasUnseen = (text: string): boolean => text.search(UNSEEN) >= 0;

/**
 * A text for a terminal or a page: invisible characters and direction controls are written out, because agents choose the names
 * of their sessions, tools and targets.
 */
export function legible(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`);
}

const VISIBLE_ENDS = /^[\p{L}\p{N}\p{P}\p{S}](?:.*[\p{L}\p{N}\p{P}\p{S}\p{M}])?$/su;

/** Whether a text begins and ends with a visible character, so that it is what it looks like. */
export const hasVisibleEnds = (text: string): boolean =>
  VISIBLE_ENDS.test(text) && !/\p{Variation_Selector}$/u.test(text);

/** Letters of other alphabets that look like these, in most typefaces. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: '\u0430\u03b1\u0251',
  b: '\u0432\u044c\u03b2',
  c: '\u0441\u03f2',
  d: '\u0501',
  e: '\u0435\u03b5\u0454',
  g: '\u0261',
  h: '\u04bb\u043d',
  i: '\u0456\u03b9\u0131',
  j: '\u0458\u03f3',
  k: '\u043a\u03ba',
  l: '\u04cf',
  m: '\u043c',
  n: '\u0578\u03b7',
  o: '\u043e\u03bf\u0585\u03c3',
  p: '\u0440\u03c1',
  q: '\u051b',
  r: '\u0433',
  s: '\u0455',
  t: '\u0442\u03c4',
  u: '\u057d\u03c5',
  v: '\u0475\u03bd',
  w: '\u051d\u0461\u03c9',
  x: '\u0445\u03c7',
  y: '\u0443\u04af\u03b3',
};

/** The arguments of SQL's `translate` that make lower-case letters those that they look like. */
export const LOOKALIKE_LETTERS = {
  from: Object.values(LOOKALIKES).join(''),
  to: Object.entries(LOOKALIKES)
    .map(([letter, others]) => letter.repeat(Array.from(others).length))
    .join(''),
} as const;
