/** A number of things as people say it: `1 file`, `12 files`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A text of somebody else as a sentence, so that another can follow it. */
export function asSentence(text: string): string {
  const plain = text.trimEnd();
  return /[.!?\u2026:]$/.test(plain) ? plain : `${plain}.`;
}
