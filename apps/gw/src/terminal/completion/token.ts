/** What is being completed: a part of the text, from a mark up to the cursor. */
export interface Token {
  readonly kind: 'command' | 'file';
  /** From the mark, in code units. */
  readonly from: number;
  readonly to: number;
  /** Without the mark. */
  readonly query: string;
}

/** A `/` that begins the text names a command; an `@` at the beginning of a word names a file. */
export function tokenAt(text: string, cursor: number): Token | null {
  const before = text.slice(0, cursor);
  const command = /^\/([\w-]*)$/.exec(before);
  if (command !== null) return { kind: 'command', from: 0, to: cursor, query: command[1] ?? '' };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (file === null || text.startsWith('!')) return null;
  const query = file[1] ?? '';
  return { kind: 'file', from: cursor - query.length - 1, to: cursor, query };
}
