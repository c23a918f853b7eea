/** A number of things as people say it: `1 file`, `12 files`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A text of somebody else as a sentence, so that another can follow it. */
export function asSentence(text: string): string {
  const plain = text.trimEnd();
  return /[.!?\u2026:]$/.test(plain) ? plain : `${plain}.`;
}

/** Room that a line keeps beside its indentation; in a narrower window lines are indented less. */
const LEAST_ROOM = 20;
const NARROW_INDENTATION = 2;

/** Characters that a terminal shows two columns wide, and those that take none of their own. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const WITHOUT_WIDTH = /\p{Mn}|\p{Me}|\p{Cf}/u;

/**
 * Breaks a line between words, as a terminal would within them. A word longer than a line, such as a path, is not moved: it
 * would not fit on the next line either.
 * @param columns of the terminal; null leaves the line unchanged.
 * @param indentation of the lines after the first.
 */
export function wrap(line: string, columns: number | null, indentation = 0): string {
  if (columns === null || widthOf(line) <= columns) return line;
  const blanks = ' '.repeat(columns - indentation < LEAST_ROOM ? NARROW_INDENTATION : indentation);
  const lines: string[] = [];
  // The text before the first word of the line is its indentation or label.
  let current = '';
  for (const [, space = '', word = ''] of line.matchAll(/(\s*)(\S+)/g)) {
    const fits = widthOf(current + space + word) <= columns;
    if (current.trim() === '' || fits || widthOf(blanks + word) > columns) {
      current += space + word;
      continue;
    }
    lines.push(current);
    current = blanks + word;
  }
  return [...lines, current].join('\n');
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : WITHOUT_WIDTH.test(character) ? 0 : 1;
  return width;
}
