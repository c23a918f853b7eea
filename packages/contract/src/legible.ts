const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Whether a text holds line breaks, control characters or direction overrides, which would let one line look like another. */
export const hasUnseen = (text: string): boolean => text.search(UNSEEN) >= 0;

/**
 * A text as a terminal and a page may show it: what nobody would see, or what would steer how the rest is shown, is written out. Agents
 * name their sessions, tools and targets themselves.
 */
export function legible(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
