/** Where in a text: both count from 1, columns in UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something that is wrong in a text, in words that quote nothing of it. */
export interface Fault extends Position {
  /** The member it is about, outermost first; empty for the text as a whole; null where `says` is a whole sentence. */
  readonly path: readonly (string | number)[] | null;
  /** Reads on after the member: `must be text`. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

/** The position of an offset, in UTF-16 units. */
export function positionIn(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

/** The fault to fix first with its position, and how many more there are. */
export function faultText(shown: string, faults: readonly Fault[]): string {
  // A misspelt member is often why another one is missing.
  const fault = faults.find(({ message }) => message.startsWith('is not a known member')) ?? faults[0];
  if (fault === undefined) return `${shown} cannot be used. Run gw diagnose.`;
  const member = fault.path === null ? '' : `${fault.path.join('.') || 'the file'} `;
  const more = faults.length === 1 ? '' : ` (${faults.length - 1} more; run gw diagnose)`;
  return `${shown}:${fault.line}:${fault.column}: ${member}${fault.message.replace(/\.$/, '')}. ${fault.fix}${more}`;
}
