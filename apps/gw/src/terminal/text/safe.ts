/* oxlint-disable no-control-regex -- control characters are what is looked for */
/** Escape sequences: OSC, DCS and their like up to their end, CSI, and two-character ones. */
const SEQUENCES =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
/** Characters that change the order in which a terminal shows others, and tags, which it does not show at all. */
const MISLEADING = /[\u061c\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
/** Characters that take no room: a name with one of them looks like another name. */
const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u2028\u2029\u2060-\u2064\ufeff]/gu;
const TAB = 4;

/**
 * A text from outside (a model, a command, a file) that cannot move the cursor, change the terminal or hide its order:
 * control characters are removed, and characters that mislead a reader are named. Line ends stay.
 */
export function safeText(text: string): string {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(SEQUENCES, '')
    .split('\n')
    .map((each) => withoutTabs(each.slice(each.trimEnd().lastIndexOf('\r') + 1).replaceAll('\r', '')))
    .join('\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(MISLEADING, nameCharacter);
}

/** The same in one line: a line end in the live part would move everything below it. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', ' ');
}

/**
 * The same for what a person approves: nothing is left out. Control characters are named instead of removed, and so are
 * characters without width. A carriage return at the end of a line is a line end.
 */
export function explicitText(text: string): string {
  return safeText(
    text
      .replaceAll(/\r+(?=\n|$)/g, '')
      .replaceAll(CONTROLS, nameCharacter)
      .replaceAll('\r', nameCharacter),
  ).replaceAll(INVISIBLE, nameCharacter);
}

/** A text that is edited: each control character as one sign, so that the cursor stays where it is in the text. */
export function editableText(text: string): string {
  return text
    .replaceAll(CONTROLS, (control) => (control < ' ' ? String.fromCharCode(0x2400 + control.charCodeAt(0)) : '\ufffd'))
    .replaceAll('\r', '\u240d')
    .replaceAll(MISLEADING, '\ufffd');
}

function nameCharacter(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Tabs as blanks, up to the next multiple of four columns. */
function withoutTabs(text: string): string {
  if (!text.includes('\t')) return text;
  let out = '';
  for (const character of text) out += character === '\t' ? ' '.repeat(TAB - (out.length % TAB)) : character;
  return out;
}
