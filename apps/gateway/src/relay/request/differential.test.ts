import { spawnSync } from 'node:child_process';
import { encode } from '@gateway/json';
import * as fc from 'fast-check';
import JSON5 from 'json5';
import { describe, expect, it, vi } from 'vitest';
import { planModel, withModel } from './model.ts';
import { atOnce } from './wide-text.ts';

// Thousands of bodies, read by five readers.
vi.setConfig({ testTimeout: 120_000 });

const SLUG = 'served';
const BODIES = 4000;
const READERS = ['json.loads', 'raw_decode', 'raw_decode, repeated'];

/** Values of every top-level member named `model`, in any case, of every object that a parser reads; null if it fails. */
type Seen = readonly unknown[] | null;

/** Three readers in Python: whole texts; the first value alone, control characters and invalid bytes let pass; value after value. */
const PYTHON = `
import base64, json, sys
class Pairs(list): pass
decoder = json.JSONDecoder(object_pairs_hook=Pairs, strict=False)
def models(value):
    return [v for k, v in value if k.translate(UPPER) == 'model'] if isinstance(value, Pairs) else None
UPPER = {c: c + 32 for c in range(65, 91)}
def lenient(data):
    return data.decode(json.detect_encoding(data), 'replace').lstrip('\\ufeff \\t\\r\\n')
def whole(data):
    return models(json.loads(data, object_pairs_hook=Pairs))
def first(data):
    return models(decoder.raw_decode(lenient(data))[0])
def following(data):
    text, seen = lenient(data), None
    try:
        while text:
            value, end = decoder.raw_decode(text)
            if seen is None and not isinstance(value, Pairs): return None
            seen = (seen or []) + (models(value) or [])
            text = text[end:].lstrip(' \\t\\r\\n')
    except ValueError: pass
    return seen
def read(reader, data):
    try: return reader(data)
    except (ValueError, RecursionError): return None
for line in sys.stdin:
    data = base64.b64decode(line)
    print(json.dumps([read(reader, data) for reader in (whole, first, following)], default=lambda value: None))
`;

function readByPython(bodies: readonly Buffer[]): readonly (readonly Seen[])[] {
  const input = bodies.map((body) => `${body.toString('base64')}\n`).join('');
  const ran = spawnSync('python3', ['-c', PYTHON], { input, maxBuffer: 2 ** 28 });
  if (ran.status !== 0) throw new Error(`python3 failed: ${ran.stderr.toString().slice(-2000)}`);
  // NaN is no JSON, but what Python writes.
  const lines = ran.stdout.toString().trimEnd().split('\n');
  return lines.map((line) => JSON5.parse<Seen[]>(line));
}

function readByJson5(body: Buffer): Seen {
  try {
    const value: unknown = JSON5.parse(body.toString());
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return Object.entries(value).flatMap(([name, model]) => (/^model$/i.test(name) ? [model] : []));
  } catch {
    return null;
  }
}

function leaving(body: Buffer): Buffer {
  const plan = atOnce(planModel([body]));
  return plan === null ? body : withModel(body, plan, SLUG);
}

const name = fc.constantFrom(
  'model',
  'MODEL',
  'mOdEl',
  'mod\\u0065l',
  '\\u004dodel',
  'models',
  'mode',
  'a',
  '',
  'm\\\\u006fdel',
  'é',
);
/** What Python reads, and what JSON5 or no parser reads besides. */
const SCALARS = [
  '"EVIL"',
  '"EV\\"IL"',
  '"{"',
  '"//"',
  '"/*"',
  '"\\ud800"',
  '"😀"',
  'NaN',
  '-Infinity',
  '1',
  'null',
  'true',
  '"a\nb"',
];
const ODD_SCALARS = [
  ...SCALARS,
  '01',
  '.5',
  '+1',
  '0x1F',
  'Infinity',
  "'EVIL'",
  "'\"'",
  '"\u2028"',
  '"\\x41"',
  'undefined',
];
const BLANKS = ['', '', '', ' ', '\n', '\t'];
const ODD_BLANKS = [...BLANKS, '/* } " */', '// }"\n', '// \u2028', '\u00a0', '\v', '\ufeff', '# {\n'];
const BEHIND = [
  '',
  '',
  ' ',
  ' x',
  '\0',
  '{}',
  '\n{"model":"EVIL"}',
  '{"MODEL":"EVIL"}',
  ' [1]',
  '\n[{"model":1}] {"model":"EVIL"}',
  '}',
  ',',
];

function objects(scalars: readonly string[], blanks: readonly string[], ends: readonly string[]): fc.Arbitrary<string> {
  const blank = fc.constantFrom(...blanks);
  const member = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(blank, name, blank, blank, inner, blank).map(([a, key, b, c, v, d]) => `${a}"${key}"${b}:${c}${v}${d}`);
  const objectOf = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .tuple(fc.array(member(inner), { maxLength: 4 }), fc.constantFrom(...ends))
      .map(([members, end]) => `{${members.join(',')}${members.length > 0 ? end : ''}}`);
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constantFrom(...scalars),
      fc.array(tie('value'), { maxLength: 3 }).map((list) => `[${list.join(',')}]`),
      objectOf(tie('value')),
    ),
  }));
  return objectOf(value);
}

/** Now and then a byte more, or another one, somewhere. */
function damaged(whole: string, place: number | null, character: string): string {
  if (place === null) return whole;
  const at = place % (whole.length + 1);
  return `${whole.slice(0, at)}${character}${whole.slice(at + (place % 2))}`;
}

const text = fc
  .tuple(
    fc.constantFrom('', '', '', '\ufeff', ' \n'),
    fc.oneof(objects(SCALARS, BLANKS, ['']), objects(ODD_SCALARS, ODD_BLANKS, ['', ',', ',,'])),
    fc.constantFrom(...BEHIND),
    fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat() }),
    fc.constantFrom(...Array.from('{}[]",:\\/ \0x')),
  )
  .map(([before, object, after, place, character]) => damaged(`${before}${object}${after}`, place, character));
const encoded = fc
  .tuple(text, fc.constantFrom('utf-8', 'utf-8', 'utf-8', 'latin1', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'))
  .map(([body, encoding]) => (encoding === 'latin1' ? Buffer.from(body, 'latin1') : encode(body, encoding as 'utf-8')));

/** What a reader sees before and after: where it saw a model, it sees the endpoint's and no other. */
function check(body: Buffer, left: Buffer, before: Seen, after: Seen, reader: string): void {
  const about = `${reader} read ${JSON.stringify(after)} in ${JSON.stringify(left.toString('latin1'))}, sent as ${JSON.stringify(body.toString('latin1'))}`;
  expect(
    (after ?? []).every((model) => model === SLUG),
    about,
  ).toBe(true);
  expect(after?.length ?? 0, about).toBeGreaterThanOrEqual(before?.length ?? 0);
}

describe('the model that an engine sees', () => {
  const python = spawnSync('python3', ['--version']).status === 0;
  it.runIf(python)('is the endpoint’s for every parser: Python’s json, a JSON5 reader', () => {
    vi.spyOn(console, 'warn').mockReturnValue(); // JSON5 warns of U+2028
    const bodies = fc.sample(encoded, BODIES);
    const left = bodies.map(leaving);
    const [before, after] = [readByPython(bodies), readByPython(left)];
    let seen = 0;
    for (const [index, body] of bodies.entries()) {
      const out = left[index] as Buffer;
      for (const [reader, name] of READERS.entries()) {
        check(body, out, before[index]?.[reader] ?? null, after[index]?.[reader] ?? null, name);
      }
      check(body, out, readByJson5(body), readByJson5(out), 'JSON5');
      if ((after[index]?.[1] ?? []).length > 0) seen += 1;
    }
    expect(seen, 'bodies in which Python sees a model').toBeGreaterThan(BODIES / 10);
  });
});
