/** The kind of a number or word. `other` is none of RFC 8259: `NaN`, `-Infinity`, `01`, `.5`, `0x1F`, `undefined`. */
export type LiteralKind = 'number' | 'true' | 'false' | 'null' | 'other';

const CLASSES = 16;
const CLASS = new Uint8Array(256);
for (const [index, characters] of [
  '-',
  '0',
  '123456789',
  '.',
  'e',
  'E',
  '+',
  't',
  'r',
  'u',
  'f',
  'a',
  'l',
  's',
  'n',
].entries()) {
  for (const byte of Buffer.from(characters)) CLASS[byte] = index + 1;
}

/** States by name; `other` is state 0 and final. */
const STEPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  start: { '-': 'minus', '0': 'zero', '1': 'integer', t: 't', f: 'f', n: 'n' },
  minus: { '0': 'zero', '1': 'integer' },
  zero: { '.': 'point', e: 'exponent', E: 'exponent' },
  integer: { '0': 'integer', '1': 'integer', '.': 'point', e: 'exponent', E: 'exponent' },
  point: { '0': 'fraction', '1': 'fraction' },
  fraction: { '0': 'fraction', '1': 'fraction', e: 'exponent', E: 'exponent' },
  exponent: { '0': 'power', '1': 'power', '+': 'sign', '-': 'sign' },
  sign: { '0': 'power', '1': 'power' },
  power: { '0': 'power', '1': 'power' },
  t: { r: 'tr' },
  tr: { u: 'tru' },
  tru: { e: 'true' },
  true: {},
  f: { a: 'fa' },
  fa: { l: 'fal' },
  fal: { s: 'fals' },
  fals: { e: 'false' },
  false: {},
  n: { u: 'nu' },
  nu: { l: 'nul' },
  nul: { l: 'null' },
  null: {},
};
const NAMES = ['other', ...Object.keys(STEPS)];
const TABLE = new Uint8Array(NAMES.length * CLASSES);
const KINDS: readonly LiteralKind[] = NAMES.map((name) => {
  if (name === 'zero' || name === 'integer' || name === 'fraction' || name === 'power') return 'number';
  return name === 'true' || name === 'false' || name === 'null' ? name : 'other';
});
for (const [name, steps] of Object.entries(STEPS)) {
  for (const [character, to] of Object.entries(steps)) {
    TABLE[NAMES.indexOf(name) * CLASSES + (CLASS[character.charCodeAt(0)] ?? 0)] = NAMES.indexOf(to);
  }
}

/** State before the first byte of a number or word. */
export const LITERAL_START = NAMES.indexOf('start');

/** The state after one more byte. */
export function literalStep(state: number, byte: number): number {
  return TABLE[state * CLASSES + (CLASS[byte] as number)] as number;
}

export function literalKind(state: number): LiteralKind {
  return KINDS[state] ?? 'other';
}

/**
 * What a tokenizer reads. Offsets count bytes from the first byte that was pushed; `depth` counts the objects and arrays that are open
 * (0: a top-level value; a member or element of the outermost container has depth 1).
 */
export interface JsonEvents {
  /** `{` or `[` at offset `at`; its own depth is one less than that of its contents. */
  open?(isObject: boolean, at: number, depth: number): void;
  /** The bracket at offset `at` closes what `open` reported, at the same depth. */
  close?(isObject: boolean, at: number, depth: number): void;
  /** The name of a member, from its opening quote to after its closing one. The tokenizer's `name` decodes it. */
  name?(from: number, to: number, depth: number): void;
  /** A string that is a value, from its opening quote to after its closing one. */
  string?(from: number, to: number, depth: number): void;
  /** A number or word. */
  literal?(kind: LiteralKind, from: number, to: number, depth: number): void;
  /** Between two members or elements of the container with contents at `depth`. */
  comma?(depth: number): void;
  /** The current value cannot be read beyond offset `at`: its earlier events are void. */
  broken?(at: number): void;
}

export interface TokenizerOptions {
  /** UTF-16 units to which names are cut. Default 256. */
  readonly longestName?: number;
  /** The bytes are what a `Narrower` made of UTF-16 or UTF-32. Default false. */
  readonly narrowed?: boolean;
}
