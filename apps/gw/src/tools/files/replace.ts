import { ToolFailed } from '../../agent/types.ts';

export interface Replacement {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

/** Line numbers in a message, at most. */
const MOST_PLACES = 20;

/**
 * Applies replacements one after the other, all or none. In a file with Windows line ends, plain ones in the arguments
 * mean those. Throws `ToolFailed` that names the replacement, and how often and where its text occurs.
 */
export function replaceAll(text: string, replacements: readonly Replacement[], shown: string): string {
  return replacements.reduce((current, one, at) => {
    const which = replacements.length > 1 ? `Edit ${at + 1} of ${replacements.length} failed and none was made: ` : '';
    return replaceOne(current, one, shown, which);
  }, text);
}

function replaceOne(
  text: string,
  { old_string, new_string, replace_all }: Replacement,
  shown: string,
  which: string,
): string {
  if (old_string === '') throw new ToolFailed(`${which}old_string is empty. Use Write to create a file.`);
  if (old_string === new_string)
    throw new ToolFailed(`${which}old_string and new_string are the same: nothing would change.`);
  const windows = hasWindowsLineEnds(text);
  const wanted = windows && !text.includes(old_string) ? withWindowsLineEnds(old_string) : old_string;
  const places = placesOf(text, wanted);
  if (places.length === 0) throw new ToolFailed(`${which}old_string does not occur in ${shown}. ${hint(text, wanted)}`);
  if (places.length > 1 && replace_all !== true) {
    const lines = linesOf(text, places);
    throw new ToolFailed(
      `${which}old_string occurs ${places.length} times in ${shown}, at lines ${lines}. Add text around it that makes it unique, or set replace_all.`,
    );
  }
  const replacement = windows ? withWindowsLineEnds(new_string) : new_string;
  return text.split(wanted).join(replacement);
}

function hasWindowsLineEnds(text: string): boolean {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows > 0 && windows * 2 >= all;
}

function withWindowsLineEnds(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function linesOf(text: string, places: readonly number[]): string {
  const lines = places.slice(0, MOST_PLACES).map((at) => text.slice(0, at).split('\n').length);
  return `${lines.join(', ')}${places.length > MOST_PLACES ? ` and ${places.length - MOST_PLACES} more` : ''}`;
}

/** What a model most often got wrong: blanks. */
function hint(text: string, wanted: string): string {
  const bare = (line: string): string => line.trim().replaceAll(/\s+/g, ' ');
  const first = wanted.split(/\r?\n/).map(bare).find(Boolean);
  const at = first === undefined ? -1 : text.split(/\r?\n/).findIndex((line) => bare(line) === first);
  if (at < 0) return 'Read the file again and copy the text exactly.';
  return `Line ${at + 1} is similar: compare blanks, indentation and the lines that follow, and copy the text exactly.`;
}
