/** One word of a command, as the shell passes it on. */
export interface Word {
  /** The literal text: quotes and escapes removed. Without meaning where the word is dynamic. */
  readonly text: string;
  /** Its value is not known before the line runs: it contains an expansion, a substitution or a brace list. */
  readonly dynamic: boolean;
  /** It may become several words or none: unquoted expansion, glob or brace list. */
  readonly splits: boolean;
  /** The text of a dynamic word in which only `$HOME` and `$PWD` are not literal: with the home directory and `.` for them. */
  readonly expanded?: string;
}

/** A word at its position in the command; the value of `--name=value` has the position of its word. */
export interface Item {
  readonly word: Word;
  readonly at: number;
}

export const literal = (text: string): Word => ({ text, dynamic: false, splits: false });
export const unknownWord = (splits: boolean): Word => ({ text: '', dynamic: true, splits });

/** The last part of a command's path. */
export function nameOf(word: Word): string {
  return word.text.slice(word.text.lastIndexOf('/') + 1);
}

/** The text of a word, as far as it is known before the line runs. */
export function literalOf({ word }: { readonly word: Word }): string | null {
  return word.dynamic ? (word.expanded ?? null) : word.text;
}

/** Whether the shell replaces the word by names of files that may begin with a dash. */
export function mayBecomeOption(word: Word): boolean {
  const text = word.dynamic ? word.expanded : word.text;
  return text === undefined || (word.splits && /^[*?[-]/.test(text));
}

/** A part of a word that is as well known as the whole. */
export function partOf(word: Word, change: (text: string) => string): Word {
  const expanded = word.expanded === undefined ? {} : { expanded: change(word.expanded) };
  return { ...word, text: change(word.text), ...expanded };
}
