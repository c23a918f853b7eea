import type { TokenizerOptions } from '../literal.ts';
import { JsonTokenizer } from '../tokenizer.ts';

export interface Reading {
  /** Every event as a line. */
  readonly events: readonly string[];
  readonly values: number;
  readonly isStrict: boolean;
}

/** Reads bytes that arrive in parts. */
export function read(parts: readonly Uint8Array[], options?: TokenizerOptions): Reading {
  const events: string[] = [];
  const log = (...words: readonly (string | number | boolean)[]): void => void events.push(words.join(' '));
  const tokenizer = new JsonTokenizer(
    {
      open: (isObject, at, depth) => log('open', isObject ? '{' : '[', at, depth),
      close: (isObject, at, depth) => log('close', isObject ? '}' : ']', at, depth),
      name: (from, to, depth) => log('name', JSON.stringify(tokenizer.name), from, to, depth),
      string: (from, to, depth) => log('string', from, to, depth),
      literal: (kind, from, to, depth) => log(kind, from, to, depth),
      comma: (depth) => log('comma', depth),
      broken: (at) => log('broken', at),
    },
    options,
  );
  for (const part of parts) tokenizer.push(part);
  tokenizer.end();
  return { events, values: tokenizer.values, isStrict: tokenizer.isStrict };
}

/** Bytes in parts that end at the given offsets. */
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
