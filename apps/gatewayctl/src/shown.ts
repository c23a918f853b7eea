/** Line breaks, control characters and direction overrides: what would let one line of a log or list look like another. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text as a terminal may show it: what nobody would see, or what would steer the terminal, is written out. */
export function shown(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
