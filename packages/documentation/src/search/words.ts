import { eachWritten } from './letters.ts';

/** A word of a text or question. */
export interface Word {
  /** Lower case, without marks: `streamText` and `stream_text` are both `streamtext`. */
  readonly whole: string;
  /** For display: an identifier as written, any other word in lower case. */
  readonly shown: string;
  /** What an identifier is made of (`stream`, `text`); empty for a plain word. */
  readonly parts: readonly string[];
  /** For a word in a script without spaces, the terms that together represent it; empty for all others. */
  readonly pairs: readonly string[];
}

/** Longer runs are encoded data, not words. */
const LONGEST = 60;

const IDENTIFIER_BOUNDARY = /[_.]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const UNSEEN = /[\u00ad\u200c\u2060]|\u200d/g;
const VERSION = /^[vV]?(\d+(?:\.\d+)+)$/;

/** Takes a run of a script with spaces apart; null for one that is no word. */
export function wordOf(written: string): Word | null {
  if (written.length > LONGEST) return null;
  const plain = written
    .replace(UNSEEN, '')
    .replace(/['\u2019]s$/, '')
    .replace(/['\u2019]/g, '');
  const version = VERSION.exec(plain)?.[1];
  if (version !== undefined) return { whole: version, shown: version, parts: version.split('.'), pairs: [] };
  const parts = plain
    .split(IDENTIFIER_BOUNDARY)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
  const whole = parts.join('');
  return parts.length > 1 ? { whole, shown: plain, parts, pairs: [] } : { whole, shown: whole, parts: [], pairs: [] };
}

/** All words of a question, in order. */
export function wordsOf(question: string): Word[] {
  const words: Word[] = [];
  const take = (word: Word | null): void => {
    if (word !== null && word.whole !== '') words.push(word);
  };
  eachWritten(question, (written) => {
    const pieces = piecesOf(written);
    if (pieces === null) take(wordOf(written));
    for (const piece of pieces ?? []) {
      if (piece.kind === 'spaced') take(wordOf(piece.text));
      else
        for (const { word, terms } of findUnspacedWords(piece))
          take({ whole: word, shown: word, parts: [], pairs: terms });
    }
  });
  return words;
}

/**
 * Scripts without spaces between words. In Chinese, Japanese and Korean every pair of neighbours is a term, as usual in search
 * engines for these languages, so that any part of a run is found. Pairs are too ambiguous in Thai, Lao, Khmer and Burmese: a
 * dictionary splits these.
 */
const PAIRED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\p{Script=Yi}ー々〆';
const CUT = '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const PIECES = new RegExp(`[${PAIRED}]+|[${CUT}]+|[^${PAIRED}${CUT}]+`, 'gu');
const IS_PAIRED = new RegExp(`^[${PAIRED}]`, 'u');
const IS_CUT = new RegExp(`^[${CUT}]`, 'u');
/** Below the first of these scripts' letters no text needs a second look. */
const MAYBE = /[\u0e00-\uffff]/;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** A stretch of a run that is written in one way. */
interface Piece {
  readonly kind: 'spaced' | 'paired' | 'cut';
  readonly text: string;
}

/** Cuts a run of letters where its way of writing changes; null for a run that separates its words by spaces. */
export function piecesOf(run: string): Piece[] | null {
  if (!MAYBE.test(run)) return null;
  const pieces = (run.match(PIECES) ?? []).map((text): Piece => {
    return { kind: IS_PAIRED.test(text) ? 'paired' : IS_CUT.test(text) ? 'cut' : 'spaced', text };
  });
  return pieces.every(({ kind }) => kind === 'spaced') ? null : pieces;
}

/** The terms of a stretch without spaces, in order. */
export function termsOf({ kind, text }: Piece): string[] {
  return kind === 'cut' ? segmentsOf(text) : pairsOf(text);
}

/** A word of such a script in a question, and the terms that together represent it. */
interface UnspacedWord {
  readonly word: string;
  readonly terms: readonly string[];
}

/** The words of a stretch of a question, particles and the like left out. */
export function findUnspacedWords(piece: Piece): UnspacedWord[] {
  const segments = segmentsOf(piece.text);
  if (piece.kind === 'cut') {
    return segments.filter((word) => !SAYS_NOTHING.has(word)).map((word) => ({ word, terms: [word] }));
  }
  return withoutSmallWords(segments)
    .filter((word) => !/^\p{Script=Hiragana}{1,2}$/u.test(word))
    .map((word) => word.replace(OKURIGANA, '$1').replace(KOREAN_PARTICLE, '$1'))
    .map((word) => ({ word, terms: pairsOf(word) }));
}

/** The dictionary splits unknown words into characters, `网关` into two: neighbours among them are one word. */
function withoutSmallWords(segments: readonly string[]): string[] {
  const words: string[] = [];
  let unknown = '';
  for (const segment of [...segments, '']) {
    if (SINGLE.test(segment) && !SAYS_NOTHING.has(segment)) {
      unknown += segment;
      continue;
    }
    if (unknown !== '') words.push(unknown);
    if (segment !== '' && !SAYS_NOTHING.has(segment)) words.push(segment);
    unknown = '';
  }
  return words;
}

function segmentsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return [word];
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

const SINGLE = /^\p{Script=Han}$/u;
/** The inflected end of a Japanese verb or adjective. */
const OKURIGANA = /^(\p{Script=Han}+)\p{Script=Hiragana}+$/u;
/** What Korean appends to a noun of two syllables or more. */
const KOREAN_PARTICLE =
  /^(\p{Script=Hangul}{2,}?)(?:을|를|이|가|은|는|의|에|에서|에게|으로|로|와|과|도|만|부터|까지|이나|나|란|이란|하는|하다|하고|하려면|합니다|됩니다|인가요|입니까)$/u;

/** Chinese, Japanese, Korean and Thai words that do not indicate a question's subject. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(
  `
的 了 是 在 和 与 或 吗 嗎 呢 吧 啊 我 你 他 她 它 我们 我們 你们 什么 什麼 怎么 怎麼 怎样 怎樣 如何 为什么 為什麼 哪 哪里 哪裡 哪个 哪個 哪些
谁 誰 何时 何時 多少 几 幾 个 個 这 這 那 这个 那个 有 没有 沒有 不 要 请 請 能 可以 会 會 应该 應該 需要 把 被 将 將 从 從 到 对 對 于 於
关于 關於 就 都 也 还 還 很 何 方 です ます でし まし する した して なる こと もの ため よう どう どの どれ どこ なぜ いつ なに これ それ
あれ この その あの ここ そこ から まで より ください どのように どうやって できる できます ついて という ありません ません
어떻게 무엇 무엇을 무엇인가요 왜 언제 어디 어디서 어디에 누가 어떤 하나요 있나요 있습니까 합니까 수 있는 있다 그 이 저 것 및 또는
ที่ และ ใน ของ จะ ได้ ให้ เป็น มี ไม่ อะไร อย่างไร ทำไม เมื่อ ไหน หรือ กับ จาก การ ความ ว่า คือ ยังไง เรา ฉัน คุณ ครับ ค่ะ
`
    .trim()
    .split(/\s+/),
);
