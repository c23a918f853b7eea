/** Where lines and words begin and end in a text, in code units. */

export function lineStart(text: string, from: number): number {
  return from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1;
}
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The beginning of the word before a position: blanks are passed first. */
export function wordStart(text: string, from: number): number {
  let at = from;
  while (at > 0 && isBlank(text, at - 1)) at -= 1;
  while (at > 0 && !isBlank(text, at - 1)) at -= 1;
  return at;
}
/** The end of the word behind a position. */
export function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text, at)) at += 1;
  while (at < text.length && !isBlank(text, at)) at += 1;
  return at;
}

function isBlank(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}
