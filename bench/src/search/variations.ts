import type { Question } from './questions.ts';

/** Another way to ask the same questions, or to write the same corpus; always the same one. */
export interface Variation {
  readonly name: string;
  readonly ask: (question: string, number: number, corpus: string) => string;
  readonly write: (corpus: string) => string;
}

const same = (text: string): string => text;

/** People mistype, leave accents out or put them in, join words; and some languages put no spaces between them. */
export const VARIATIONS: readonly Variation[] = [
  { name: 'one slip', ask: (question, number) => mistype(question, number), write: same },
  {
    name: 'two words mistyped',
    ask: (question, number) => mistype(mistype(question, number), number + 3),
    write: same,
  },
  {
    name: 'accents in question',
    ask: (question, number) => accent(question).normalize(number % 2 ? 'NFC' : 'NFD'),
    write: same,
  },
  { name: 'accents in corpus', ask: same, write: accent },
  { name: 'two words joined', ask: (question, _, corpus) => join(question, corpus.toLowerCase()), write: same },
  {
    name: 'without spaces',
    ask: (question) => unspaced(question.replace(SMALL, '').replace(/ +/g, ' ').trim()),
    write: unspaced,
  },
];

/** The questions in another form; `id` and what answers them stay. */
export function varied(
  questions: readonly Question[],
  { ask, write }: Variation,
  corpora: ReadonlyMap<string, string>,
): Question[] {
  return questions.map((asked, number) => ({
    ...asked,
    question: ask(asked.question, number, corpora.get(asked.corpus) ?? ''),
    section: asked.section && write(asked.section),
  }));
}

/** Words that nobody joins with others, and that languages without spaces do mostly without. */
const SMALL =
  /\b(?:a|an|the|of|to|in|on|at|is|are|do|does|did|can|could|should|would|will|what|which|when|where|why|how|who|with|from|for|that|this|there|have|has|into|than|then|between|without|within|after|before|during|under|over|about|any|all|more|only|not|and|or|be|by|it|its|my|me|i|you|your|use|using|used|get|make|need|want|them|they|their|one|two|if|so|as|was|were|each|same|own|out|up)\b/gi;

const SLIPS: readonly ((word: string, at: number) => string)[] = [
  (word, at) => `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at] ?? ''}${word.slice(at + 2)}`,
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => `${word.slice(0, at)}${word[at] ?? ''}${word.slice(at)}`,
  (word, at) => `${word.slice(0, at)}${'aeiou'[at % 5] ?? ''}${word.slice(at + 1)}`,
  (word, at) => `${word.slice(0, at)}${'nrtsl'[at % 5] ?? ''}${word.slice(at)}`,
];

/** A slip inside the longest word that has none yet: letters exchanged, left out, doubled, wrong, or one too many. */
export function mistype(question: string, number: number): string {
  const words = [...question.matchAll(/(?<![\w.])[a-z]{5,}(?![\w.])/gi)];
  const longest = words.toSorted((one, other) => other[0].length - one[0].length)[
    number % Math.min(2, words.length || 1)
  ];
  if (!longest) return question;
  const [word] = longest;
  const typed = SLIPS[number % SLIPS.length]?.(word, 1 + (number % (word.length - 3))) ?? word;
  return question.slice(0, longest.index) + typed + question.slice(longest.index + word.length);
}

const ACCENTS: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'ï', o: 'ô', u: 'ü', c: 'ç', n: 'ñ' };

/** An accent in every plain word of five letters or more, except in addresses and identifiers. */
export function accent(text: string): string {
  return text.replace(/(?<![\w/:.`-])[a-z]{5,}(?![\w/:`-])/g, (word) =>
    word.replace(/[aeioucn]/, (letter) => ACCENTS[letter] ?? letter),
  );
}

/** Two neighbours that the corpus sets apart, as one word. */
export function join(question: string, corpus: string): string {
  for (const [pair, left = '', right = ''] of question.matchAll(/\b([a-z]{3,})[ -](?=([a-z]{4,})\b)/gi)) {
    const both = `${left} ${right}`;
    if (
      both.replace(SMALL, '') === both &&
      corpus.includes(` ${both.toLowerCase()}`) &&
      !corpus.includes((left + right).toLowerCase())
    ) {
      return question.replace(pair + right, left + right);
    }
  }
  return question;
}

/** Every plain word as two Chinese characters, and no spaces between them: the same text in a script without spaces. */
export function unspaced(text: string): string {
  return text.replace(/(?<![\w/:.`(<-])[a-z]+(?![\w/:`(>-])(?: (?=[a-z]+(?![\w/:`(>-])))?/gi, (match) => {
    let digest = 2_166_136_261;
    for (const letter of match.trim().toLowerCase())
      digest = Math.imul(digest ^ letter.charCodeAt(0), 16_777_619) >>> 0;
    return String.fromCharCode(0x4e00 + (digest % 3000), 0x4e00 + (Math.floor(digest / 3000) % 3000));
  });
}

/**
 * Words of other corpora that this one does not contain, as single-word questions: real words and names, so that any answer
 * confuses one with another.
 */
export function foreignWords(corpora: ReadonlyMap<string, string>, most: number): Question[] {
  const words = new Map(
    [...corpora].map(([name, text]) => [name, new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? [])]),
  );
  return [...words].flatMap(([corpus, own]) => {
    // Another form of a word in the corpus is no foreign word.
    const held = new Set([...own].map(bare));
    const foreign = [...words].flatMap(([other, theirs]) => (other === corpus ? [] : [...theirs]));
    const unlike = [...new Set(foreign)].filter((word) => word.length >= 4 && !held.has(bare(word))).sort();
    const step = Math.max(1, Math.floor(unlike.length / most));
    return unlike
      .filter((_, at) => at % step === 0)
      .map((word) => ({
        id: word,
        corpus,
        question: word,
        page: null,
        section: null,
        answerable: false,
        kind: 'near',
        alt: [],
      }));
  });
}

function bare(word: string): string {
  return word
    .replace(/(?<=...)(?:(.)\1(?:ing|ed|er)|ing|ed|er|ies|es|s|y|ly|e|ation|ion|able|ment)$/, '$1')
    .slice(0, 6);
}
