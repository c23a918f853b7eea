import { crc32 } from 'node:zlib';
import type { TokenRule } from '../verify/rule.ts';
import { checksumOf } from '../verify/token.ts';

/** A deterministic source of numbers from 0 to `bound - 1`. */
export type Dice = (bound: number) => number;

/** Marsaglia's xorshift32, so that a seed gives the same specimens on every machine. */
export function dice(seed: string): Dice {
  let state = crc32(seed) || 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % bound;
  };
}

/** `length` characters of a class as written inside its brackets. */
export function draw(alphabet: string, length: number, roll: Dice): string {
  const characters = expand(alphabet);
  return Array.from({ length }, () => characters.charAt(roll(characters.length))).join('');
}

function expand(alphabet: string): string {
  return alphabet.replaceAll(/(.)-(.)/g, (_, first: string, last: string) => {
    const from = first.charCodeAt(0);
    return String.fromCharCode(...Array.from({ length: last.charCodeAt(0) - from + 1 }, (_, at) => from + at));
  });
}

/** A made-up token of a form. `value` is the part that counts as the secret, `text` what has to be written. */
export interface Specimen {
  readonly text: string;
  readonly value: string;
}

/**
 * Makes a token of a rule's form, again in every test run, so that no file of this repository contains anything like a live
 * credential. Punctuation is kept away from the ends of runs.
 */
export function specimenOf(rule: Pick<TokenRule, 'checksum'>, form: string, seed: string): Specimen {
  const roll = dice(seed);
  let text = '';
  let valueFrom = 0;
  for (const [piece] of form.matchAll(/\[([^\]]+)\]\{(\d+)(?:,(\d+))?\}|<[^>]+>|\^|[^[<^]+/g)) {
    const run = /^\[([^\]]+)\]\{(\d+)(?:,(\d+))?\}$/.exec(piece);
    if (piece === '^') valueFrom = text.length;
    else if (run === null) text += piece.replaceAll(/[<>]/g, '');
    else text += drawRun(run[1] ?? '', Number(run[2]), Number(run[3] ?? run[2]), roll);
  }
  if (rule.checksum !== undefined) text = text.slice(0, -6) + checksumOf(text.slice(text.indexOf('_') + 1, -6));
  return { text, value: text.slice(valueFrom) };
}

function drawRun(alphabet: string, min: number, max: number, roll: Dice): string {
  const length = Math.min(max, min + roll(Math.min(4, max - min + 1)));
  if (length === 0) return '';
  if (/^[=*#$]+$/.test(alphabet)) return draw(alphabet, length, roll);
  const inner = draw(alphabet, length, roll);
  const solid = alphabet.replaceAll(/[^A-Za-z0-9-]|-$/g, '');
  if (solid === '') return inner;
  return length < 2 ? draw(solid, length, roll) : draw(solid, 1, roll) + inner.slice(1, -1) + draw(solid, 1, roll);
}

/** The form as documentation would show it: every run is one character repeated. */
export function placeholderOf(form: string): string {
  return form
    .replaceAll(/\[([^\]]+)\]\{(\d+)(?:,\d+)?\}/g, (_, alphabet: string, length: string) => {
      const mark = ['x', 'X', 'a', 'A', '0'].find((each) => expand(alphabet).includes(each)) ?? '0';
      return mark.repeat(Number(length));
    })
    .replaceAll(/[<>^]/g, '');
}
