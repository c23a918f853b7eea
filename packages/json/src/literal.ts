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
