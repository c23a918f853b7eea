import * as z from 'zod';

/** Characters of a text as people count them: Unicode code points, which is also how the database counts. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `most` characters of a text, counted as `characters` counts them. */
export function firstCharacters(text: string, most: number): string {
  // No text has more characters than code units.
  return text.length <= most ? text : Array.from(text).slice(0, most).join('');
}

/** Whether a text can be stored and passed to another program: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** What PostgreSQL can keep of a text: NUL and halves of surrogate pairs become U+FFFD. */
export function storable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed();
}

const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;
const CONTROLS_BUT_LINES = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * A text of another author for logs, exports and tables: control characters and direction controls are written as `\u{9b}`.
 * @param keepsLines whether tabs and line ends stay: of documents.
 */
export function printable(text: string, keepsLines = false): string {
  return text.replace(keepsLines ? CONTROLS_BUT_LINES : CONTROLS, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}

/** A storable text of `least` to `most` characters. */
export function storableText(least: number, most: number) {
  return z
    .string('must be text')
    .refine(isStorable, { error: 'must be well-formed Unicode without NUL', abort: true })
    .refine((text) => characters(text) >= least, { error: 'must not be empty', abort: true })
    .refine((text) => characters(text) <= most, `must contain at most ${most} characters`);
}

/** Whether an ISO 8601 instant can be stored and written again: in UTC its year is between 1 and 9999. */
export function isStorableInstant(text: string): boolean {
  const at = Date.parse(text);
  return at >= Date.parse('0001-01-01T00:00:00Z') && at < Date.UTC(10_000, 0);
}

/** A calendar instant with its zone, because without one its meaning depends on the reader. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 instant, such as 2030-01-31T00:00:00Z', abort: true })
  .refine(isStorableInstant, 'must lie in the years 1 to 9999');
