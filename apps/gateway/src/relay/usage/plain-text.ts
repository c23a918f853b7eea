import { readGeneratedText } from './apis/index.ts';

/** The generated text in the buffered part of a plain answer. */
export interface PlainText {
  readonly text: string;
  /** Whether the rest, which was not buffered, is more of it. */
  readonly goesOn: boolean;
}

/** Texts in JSON that is cut off; the last one may lack its end. Pictures and numbers appear beside them. */
const TEXTS =
  /"(?:content|text|arguments|reasoning|reasoning_content|thinking|response|generated_text)"\s*:\s*"((?:[^"\\]|\\.)*)("?)/gs;
const JSON_BEGINS = /^\ufeff?\s*[{[]/;

/** @param kept the answer, or its beginning. */
export function plainTextOf(kept: Buffer): PlainText {
  if (kept.includes(0)) return { text: '', goesOn: false }; // sound or a picture: text contains no zeros
  const text = kept.toString();
  const answer = parseJson(text);
  if (answer !== undefined) return { text: readGeneratedText(answer), goesOn: false };
  const lines = text.split('\n');
  if (parseJson(lines[0] ?? '') !== undefined)
    return { text: lines.map((line) => readGeneratedText(parseJson(line))).join(''), goesOn: true };
  return JSON_BEGINS.test(text) ? cutOff(text) : { text, goesOn: true };
}

function cutOff(json: string): PlainText {
  const texts = [...json.matchAll(TEXTS)];
  return { text: texts.map(([, text]) => text).join(' '), goesOn: texts.at(-1)?.[2] === '' };
}

/** A byte order mark. */
const MARK = 0xfeff;

/** Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === MARK ? text.slice(1) : text) as unknown;
  } catch {
    return undefined;
  }
}
