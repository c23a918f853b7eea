/** A word of a text or question. */
export interface Word {
  /** Lower case, without marks: `streamText` and `stream_text` are both `streamtext`. */
  readonly whole: string;
  /** What an identifier is made of (`stream`, `text`); empty for a plain word. */
  readonly parts: readonly string[];
}

const [UNKNOWN, OTHER, LETTER, JOINER] = [0, 1, 2, 3];
/** What each UTF-16 unit is, learnt when it is first met. A regular expression over megabytes takes ten times longer. */
const kinds = new Uint8Array(0x1_0000);
for (const joiner of "_'’") kinds[joiner.charCodeAt(0)] = JOINER;

function kindOf(unit: number): number {
  const known = kinds[unit] ?? OTHER;
  if (known !== UNKNOWN) return known;
  const kind = /[\p{L}\p{N}]/u.test(String.fromCharCode(unit)) ? LETTER : OTHER;
  kinds[unit] = kind;
  return kind;
}

/** Accents that are characters of their own; looking for them is far quicker than composing every text. */
const ACCENT = /[\u0300-\u036f]/;

/**
 * Calls back with every run of letters and digits, apostrophes and underscores between them included. A letter and the
 * accent after it are one letter, as most systems write it.
 */
export function eachWritten(written: string, found: (written: string) => void): void {
  const text = ACCENT.test(written) ? written.normalize('NFC') : written;
  let at = 0;
  while (at < text.length) {
    if (kindOf(text.charCodeAt(at)) !== LETTER) {
      at += 1;
      continue;
    }
    let end = at + 1;
    for (;;) {
      const kind = end < text.length ? kindOf(text.charCodeAt(end)) : OTHER;
      const joins = kind === JOINER && end + 1 < text.length && kindOf(text.charCodeAt(end + 1)) === LETTER;
      if (kind !== LETTER && !joins) break;
      end += joins ? 2 : 1;
    }
    found(text.slice(at, end));
    at = end;
  }
}

/** Longer runs are encoded data, not words. */
const LONGEST = 60;

const IDENTIFIER_BOUNDARY = /_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Takes a run apart; null for one that is no word. */
export function wordOf(written: string): Word | null {
  if (written.length > LONGEST) return null;
  const plain = written.replace(/['’]s$/, '').replace(/['’]/g, '');
  const parts = plain
    .split(IDENTIFIER_BOUNDARY)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
  return { whole: parts.join(''), parts: parts.length > 1 ? parts : [] };
}

/** All words of a text, in order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  eachWritten(text, (written) => {
    const word = wordOf(written);
    if (word !== null) words.push(word);
  });
  return words;
}
