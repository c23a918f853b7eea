const [UNKNOWN, OTHER, LETTER, JOINER, MARK, DOT, PAIR] = [0, 1, 2, 3, 4, 5, 6];
/** The class of each UTF-16 unit, determined at its first use. A regular expression over megabytes takes ten times longer. */
const kinds = new Uint8Array(0x1_0000);
// Apostrophes and underscores; the soft hyphen and the joiners of zero width, which readers do not see.
for (const joiner of "_'’\u00ad\u200c\u200d\u2060") kinds[joiner.charCodeAt(0)] = JOINER;
kinds['.'.charCodeAt(0)] = DOT;
kinds.fill(PAIR, 0xd800, 0xdc00);

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

function kindOf(unit: number): number {
  const known = kinds[unit] ?? OTHER;
  if (known !== UNKNOWN) return known;
  const character = String.fromCharCode(unit);
  const kind = LETTER_OR_DIGIT.test(character) ? LETTER : /\p{M}/u.test(character) ? MARK : OTHER;
  kinds[unit] = kind;
  return kind;
}

/** Number of units of the letter or digit at a position; 0 where none begins. */
function letterAt(text: string, at: number): number {
  const kind = at < text.length ? kindOf(text.charCodeAt(at)) : OTHER;
  if (kind === LETTER) return 1;
  if (kind !== PAIR) return 0;
  return LETTER_OR_DIGIT.test(String.fromCodePoint(text.codePointAt(at) ?? 0)) ? 2 : 0;
}

/** Number of units other than letters that continue a word at a position; 0 where it ends. */
function continuationLength(text: string, at: number): number {
  const kind = at < text.length ? kindOf(text.charCodeAt(at)) : OTHER;
  if (kind === MARK) return 1;
  if (kind === JOINER) return letterAt(text, at + 1) > 0 ? 1 : 0;
  // Versions, decimals and addresses are one word: `1.2.3` does not match a text with 1, 2 and 3.
  return kind === DOT && isDigit(text, at - 1) && isDigit(text, at + 1) ? 1 : 0;
}

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0x30 && unit <= 0x39;
}

/** Accents and Hangul letters as characters of their own; looking for them is far quicker than composing every text. */
const DECOMPOSED = /[\u0300-\u036f]|[\u1100-\u11ff]|[\u3099\u309a]/;
/** Latin letters and digits of full width, Katakana of half width. */
const WIDTHS = /[\uff01-\uff9f]+/g;

/**
 * Calls back with every run of letters and digits, what joins them included: apostrophes, underscores, dots between
 * digits. A letter and the accent after it are one letter, as most systems write it.
 */
export function eachWritten(written: string, found: (written: string) => void): void {
  const text = (DECOMPOSED.test(written) ? written.normalize('NFC') : written).replace(WIDTHS, (wide) =>
    wide.normalize('NFKC'),
  );
  let at = 0;
  while (at < text.length) {
    let units = letterAt(text, at);
    if (units === 0) {
      at += 1;
      continue;
    }
    const start = at;
    while (units > 0) {
      at += units;
      units = letterAt(text, at) || continuationLength(text, at);
    }
    found(text.slice(start, at));
  }
}
