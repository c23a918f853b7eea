/**
 * The alphabet of the automaton: every byte belongs to one of a few classes, so that a state's row is short.
 * Letters of both cases share a class (case folding); bytes that no keyword uses share class 0.
 * Double quotes of every level (see text/unescape.ts) share a class too.
 * The backslash has its own class: it never continues a keyword, it starts an escape.
 */
const PUNCTUATION = '_-./:=~@!$<>| "\'(&?+#%;,{*';
const BACKSLASH = 0x5c;

export const BACKSLASH_CLASS = 1 + 26 + 10 + PUNCTUATION.length;

/** The cell of a row that names the keywords which end in the state, instead of a next state. */
export const OUTPUT_CELL = BACKSLASH_CLASS + 1;

/** Cells of one state's row. */
export const CLASSES = OUTPUT_CELL + 1;

export const CLASS_OF: Uint8Array = classes();

function classes(): Uint8Array {
  const table = new Uint8Array(256);
  let next = 1;
  for (let letter = 0; letter < 26; letter++) {
    table[0x61 + letter] = next;
    table[0x41 + letter] = next++;
  }
  for (let digit = 0; digit < 10; digit++) table[0x30 + digit] = next++;
  for (const mark of PUNCTUATION) table[mark.charCodeAt(0)] = next++;
  for (const level of [1, 2, 3]) table[level] = table[0x22] as number;
  table[BACKSLASH] = BACKSLASH_CLASS;
  return table;
}
