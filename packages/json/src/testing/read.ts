import { JsonTokenizer, type TokenizerOptions } from '../tokenizer.ts';

export interface Reading {
  /** Every event as a line. */
  readonly events: readonly string[];
  readonly values: number;
  readonly isStrict: boolean;
}

/** Reads bytes that come in parts. */
export function read(parts: readonly Uint8Array[], options?: TokenizerOptions): Reading {
  const events: string[] = [];
  const tell = (...words: readonly (string | number | boolean)[]): void => void events.push(words.join(' '));
  const tokenizer = new JsonTokenizer(
    {
      open: (isObject, at, depth) => tell('open', isObject ? '{' : '[', at, depth),
      close: (isObject, at, depth) => tell('close', isObject ? '}' : ']', at, depth),
      name: (from, to, depth) => tell('name', JSON.stringify(tokenizer.name), from, to, depth),
      string: (from, to, depth) => tell('string', from, to, depth),
      literal: (kind, from, to, depth) => tell(kind, from, to, depth),
      comma: (depth) => tell('comma', depth),
      broken: (at) => tell('broken', at),
    },
    options,
  );
  for (const part of parts) tokenizer.push(part);
  tokenizer.end();
  return { events, values: tokenizer.values, isStrict: tokenizer.isStrict };
}

/** Bytes in parts that end at the given places. */
export function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

/** A piece of a text that is nearly JSON. */
export const PIECES = [
  ...Array.from('{}[]",:\'\\/#ux01e-.n \n\r\t\v*'),
  'true',
  'null',
  'NaN',
  '-Infinity',
  '"a"',
  '"model"',
  '\\u006d',
  '//',
  '/*',
  '*/',
  '\u2028',
  '\u00a0',
  '\ufeff',
  'é',
  '{"a":1}',
  '"b":',
] as const;
