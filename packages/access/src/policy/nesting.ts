/** Where a text exceeds the engine's safe stack depth, and the fault there. */
export interface TextFault {
  /** Index into the text, in UTF-16 code units. */
  readonly at: number;
  readonly message: string;
}

/** Characters of a whole policy set. */
const MOST_CHARACTERS = 262_144;
/** Brackets inside brackets. The engine's stack (1 MB) was seen to overflow from 80 on. */
const MOST_DEPTH = 24;
/** Operators in one policy: each may be one level of its tree. The stack was seen to overflow from 400 on. */
const MOST_OPERATORS = 200;

/** NUL, which the database cannot keep, and half of a surrogate pair, on which the engine breaks down. */
const UNSTORABLE = /\0|\p{Cs}/u;

const TOKEN =
  /\/\/[^\n]*|"(?:[^"\\]|\\.)*"?|\?(?:principal|resource)\b|&&|\|\||[=!<>]=?|[[({\])};.+*-]|\bif\b|\bin\b|\blike\b|\bhas\b|\bis\b/gsu;

/**
 * Finds texts that must not reach the engine: a tree so deep that it overflows the engine's stack and crashes it, invalid
 * Unicode, and a template, which could never apply. Null for none; the engine judges the rest.
 */
export function textFault(text: string): TextFault | null {
  if (text.length > MOST_CHARACTERS) {
    return { at: MOST_CHARACTERS, message: `the policy set is longer than ${MOST_CHARACTERS} characters` };
  }
  const unstorable = UNSTORABLE.exec(text);
  if (unstorable !== null) return { at: unstorable.index, message: 'a policy set is well-formed text without NUL' };
  let depth = 0;
  let operators = 0;
  for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
    if (token.startsWith('//') || token.startsWith('"')) continue;
    if (token.startsWith('?')) return { at, message: `a template (${token}) can never apply: name the entity` };
    if ('[({'.includes(token)) depth += 1;
    else if ('])}'.includes(token)) depth -= 1;
    else if (token === ';') operators = 0;
    else operators += 1;
    if (depth > MOST_DEPTH) return { at, message: `brackets are nested more than ${MOST_DEPTH} deep` };
    if (operators > MOST_OPERATORS) {
      return { at, message: `the policy holds more than ${MOST_OPERATORS} operators: split it into several policies` };
    }
  }
  return null;
}
