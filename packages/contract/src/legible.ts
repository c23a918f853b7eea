/**
 * Line breaks, control characters, marks of direction, and what has no width. Joiners (U+200C, U+200D) and variation selectors stay:
 * Persian, Indic scripts and emoji are not written without.
 */
const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Whether a text holds what nobody would see, or what steers how the rest is shown: one name would look like another. */
export const hasUnseen = (text: string): boolean => text.search(UNSEEN) >= 0;

/**
 * A text as a terminal and a page may show it: what nobody would see, or what would steer how the rest is shown, is written out. Agents
 * name their sessions, tools and targets themselves.
 */
export function legible(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`);
}
