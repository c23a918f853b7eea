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
