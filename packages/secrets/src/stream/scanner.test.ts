import { array, assert, asyncProperty, constant, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowanceOf, createScanner, decodeText } from '../index.ts';
import { TOKEN_RULES } from '../scan/catalogue.ts';
import { dice, draw, specimenOf } from '../testing/specimen.ts';
import { operatorLine } from './scanner.ts';

const key = Buffer.from('a key for the tests');
const scanner = createScanner({ key });
const roll = dice('scanner');
const token = `ghp_${draw('A-Za-z0-9', 36, roll)}`;
const other = `glpat-${draw('A-Za-z0-9', 20, roll)}`;

function body(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

describe('scanText', () => {
  it('gives offsets in UTF-16 units', () => {
    const text = `ключ 🔑: ${token}.`;
    const [finding] = scanner.scanText(text);
    expect(text.slice(finding?.start, finding?.end)).toBe(token);
    expect(finding).toMatchObject({
      rule: 'github-token',
      kind: 'access-token',
      confidence: 'high',
      pointer: null,
      length: 40,
    });
  });

  it('never shows the value, and has equal digests for equal values', () => {
    const [first, second] = scanner.scanText(`${token} and again "${token}"`);
    expect(first?.digest).toBe(second?.digest);
    expect(JSON.stringify([first, second])).not.toContain(token.slice(4, 16));
    const elsewhere = createScanner({ key: Buffer.from('another key') }).scanText(token);
    expect(elsewhere[0]?.digest).not.toBe(first?.digest);
  });

  it('leaves out what the policy allows', () => {
    const lenient = createScanner({ key, allow: [allowanceOf(Buffer.from(token)).toUpperCase()] });
    expect(lenient.scanText(`${token} ${other}`).map(({ rule }) => rule)).toEqual(['gitlab-token']);
  });

  it('leaves out generated values under names when the policy says so', () => {
    const line = `db_password = "${draw('A-Za-z0-9', 24, roll)}"`;
    expect(scanner.scanText(line).map(({ kind }) => kind)).toEqual(['entropy']);
    expect(createScanner({ key, entropy: false }).scanText(line)).toEqual([]);
    expect(createScanner({ key, entropy: false }).scanText(token)).toHaveLength(1);
  });
});

describe('scanBody', () => {
  it('gives the position in the JSON, as a pointer', () => {
    const value = { model: 'm', messages: [{ role: 'user', content: 'hello' }, { 'a/b~c': { deep: `use ${token}` } }] };
    const { findings } = scanner.scanBody(body(value), 'application/json');
    expect(findings.map(({ pointer }) => pointer)).toEqual(['/messages/1/a~1b~0c/deep']);
  });

  it('names the container of a very deep value, and so takes little memory for any number of them', () => {
    const [depth, count] = [50_000, 2000];
    const deep = `{"a":${'['.repeat(depth)}${Array.from({ length: count }, () => `"${token}"`).join()}${']'.repeat(depth)}}`;
    const { findings } = scanner.scanBody(Buffer.from(deep), 'application/json');
    const ancestor = `/a${'/0'.repeat(127)}`;
    expect(findings).toHaveLength(count);
    expect([...new Set(findings.map(({ pointer }) => pointer))]).toEqual([ancestor]);
  });

  it('masks the value and leaves every other byte', () => {
    const text = `{ "n": 1.0, "big":12345678901234567890, "s":"\\u0061 ${token}\\n", "t" : "${other}" }`;
    const masked = Buffer.from(scanner.scanBody(Buffer.from(text), 'application/json').mask()).toString();
    expect(masked).toBe(text.replace(token, '[secret:access-token]').replace(other, '[secret:access-token]'));
  });

  it.each([
    `${token}\\`,
    `\\${token}`,
    `password = "${draw('A-Za-z0-9', 24, roll)}\\`,
    `api_key = \`${draw('A-Za-z0-9', 24, roll)}/\\`,
  ])('reads a backslash that ends the text as one (%#)', (text) => {
    const masked = Buffer.from(scanner.scanBody(Buffer.from(text), 'text/plain').mask()).toString();
    expect(masked.startsWith('\\')).toBe(text.startsWith('\\'));
    expect(masked.endsWith('\\')).toBe(text.endsWith('\\'));
    expect(decodeText(Buffer.from(text)).length).toBe(text.length);
  });

  it('returns the very same bytes when nothing is found', () => {
    const clean = body({ content: 'nothing here' });
    expect(scanner.scanBody(clean).mask()).toBe(clean);
  });

  it('never names a secret in a pointer, even one that is a member name', () => {
    const { findings } = scanner.scanBody(body({ [token]: { inner: `x ${other}` } }), 'application/json');
    expect(findings.map(({ pointer }) => pointer)).toEqual(['/[secret:access-token]', '/[secret:access-token]/inner']);
  });
});

/** The ways in which one text travels: plain JSON, with every escape allowed, and as JSON inside JSON. */
const FORMS: readonly [string, (text: string) => string][] = [
  ['JSON', (text) => JSON.stringify({ content: text })],
  ['escaped solidus', (text) => JSON.stringify({ content: text }).replaceAll('/', '\\/')],
  [
    'unicode escapes',
    (text) => {
      const inner = JSON.stringify(text).slice(1, -1);
      const code = (mark: string): string => `\\u00${mark.charCodeAt(0).toString(16).padStart(2, '0')}`;
      return `{"content":"${inner.replaceAll(/[/=+&<>'@:_-]/g, code)}"}`;
    },
  ],
  ['tool arguments', (text) => JSON.stringify({ arguments: JSON.stringify({ input: text }) })],
  ['three deep', (text) => JSON.stringify([JSON.stringify([JSON.stringify([text])])])],
];

describe.each(FORMS)('a body written as %s', (_, write) => {
  const samples = [
    `export TOKEN=${token}`,
    `postgres://svc:${draw('A-Za-z0-9', 16, roll)}@db.internal:5432/app`,
    `https://hooks.slack.com/services/T${draw('A-Z0-9', 9, roll)}/B${draw('A-Z0-9', 10, roll)}/${draw('A-Za-z0-9', 24, roll)}`,
    `client_secret: "${draw('A-Za-z0-9', 32, roll)}"\nname: x`,
    `-----BEGIN PRIVATE KEY-----\n${draw('A-Za-z0-9+/', 64, roll)}\n${draw('A-Za-z0-9+/', 40, roll)}\n-----END PRIVATE KEY-----\n`,
  ];

  it.each(samples)('gives the same findings as in clear (%#)', (sample) => {
    const plain = scanner.scanText(sample);
    const report = scanner.scanBody(Buffer.from(write(sample)), 'application/json');
    expect(plain).toHaveLength(1);
    expect(report.findings.map(({ rule, digest }) => [rule, digest])).toEqual(
      plain.map(({ rule, digest }) => [rule, digest]),
    );
    const masked = Buffer.from(report.mask()).toString();
    expect(() => JSON.parse(masked) as unknown).not.toThrow();
    expect(masked).toContain(`[secret:${plain[0]?.kind}]`);
  });
});

describe('slices', () => {
  it('gives the same result as one run, for any body', async () => {
    await assert(
      asyncProperty(
        array(oneof(string(), constant(token), constant('password = "'), constant('x'.repeat(20_000))), {
          maxLength: 12,
        }),
        async (pieces) => {
          const bytes = body({ content: pieces.join(' ') });
          let pauses = 0;
          const sliced = await scanner.scanBodyInSlices(bytes, 'application/json', async () => {
            pauses++;
            await Promise.resolve();
          });
          expect(sliced.findings).toEqual(scanner.scanBody(bytes, 'application/json').findings);
          expect(pauses).toBeGreaterThanOrEqual(Math.max(0, Math.ceil(bytes.length / (32 * 1024)) - 1));
        },
      ),
      { numRuns: 60 },
    );
  });

  /** The result of a scan in slices, and its number of pauses. */
  async function sliced(text: string) {
    let pauses = 0;
    const report = await scanner.scanBodyInSlices(Buffer.from(text), 'application/json', async () => {
      pauses++;
      await Promise.resolve();
    });
    return { ...report, pauses };
  }

  it('pauses after every few findings of a body of secrets, and reports a limited number individually', async () => {
    const count = 10_000;
    const tokens = Array.from(
      { length: count },
      (_, at) => `${at % 2 === 0 ? 'ghp_' : 'glpat-'}${draw('A-Za-z0-9', 36, roll)}`,
    );
    const text = JSON.stringify({ tokens });
    const { findings, mask, pauses } = await sliced(text);
    expect(pauses).toBeGreaterThan(text.length / (32 * 1024) + count / 256);
    expect(
      findings
        .slice(0, 4096)
        .every(({ occurrences }, at) => occurrences === 1 && findings[at]?.pointer === `/tokens/${at}`),
    ).toBe(true);
    expect(findings.slice(4096).map(({ rule, pointer, occurrences }) => [rule, pointer, occurrences])).toEqual([
      ['github-token', null, (count - 4096) / 2],
      ['gitlab-token', null, (count - 4096) / 2],
    ]);
    const [first] = findings.slice(4096);
    expect(text.slice(first?.start, first?.end)).toBe(tokens[4096]);
    expect(JSON.parse(Buffer.from(mask()).toString())).toEqual({ tokens: tokens.map(() => '[secret:access-token]') });
    expect(scanner.scanBody(Buffer.from(text), 'application/json').findings).toHaveLength(count);
  });

  it.each([
    ['one string', (filler: string) => JSON.stringify({ long: filler, at: token })],
    [
      'one string with escapes',
      (filler: string) => JSON.stringify({ long: filler.replaceAll('. ', '."\n'), at: token }),
    ],
    ['many strings', (filler: string) => JSON.stringify({ list: filler.split('. '), at: token })],
    ['numbers', (filler: string) => JSON.stringify({ list: Array.from(filler, () => 1234), at: token })],
  ])('pauses while it determines the position of a secret after %s', async (_, written) => {
    const text = written('nothing to see in here. '.repeat(50_000));
    const { findings, pauses } = await sliced(text);
    const rounds = text.includes('\\') ? 3 : 2;
    expect(findings.map(({ pointer }) => pointer)).toEqual(['/at']);
    expect(pauses).toBeGreaterThan((text.length / (64 * 1024)) * (rounds + 0.8));
  });

  it('masking is idempotent: a masked body has no findings', () => {
    assert(
      property(array(oneof(string(), constant(token), constant(other)), { maxLength: 8 }), (pieces) => {
        const masked = scanner.scanBody(body(pieces.join(' '))).mask();
        expect(scanner.scanBody(masked).findings).toEqual([]);
      }),
    );
  });
});

describe('the content type of a body', () => {
  const text = JSON.stringify({ a: token });
  const pointer = (type: string | undefined, body = text): (string | null)[] =>
    scanner.scanBody(Buffer.from(body), type).findings.map((finding) => finding.pointer);

  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    ' text/json',
    'application/problem+json',
    'application/vnd.api+json;q=1',
  ])('is JSON: %s', (type) => {
    expect(pointer(type)).toEqual(['/a']);
  });

  it.each(['text/plain', 'application/jsonp', 'application/octet-stream', 'json', ''])('is not: %s', (type) => {
    expect(pointer(type)).toEqual([null]);
  });

  it('is guessed by the first byte where none is given', () => {
    expect(pointer(undefined)).toEqual(['/a']);
    expect(pointer(undefined, `["${token}"]`)).toEqual(['/0']);
    expect(pointer(undefined, `a ${text}`)).toEqual([null]);
  });

  it.each(['image/png', 'Audio/mpeg', ' video/mp4', 'font/woff2'])('is one that is not read: %s', async (type) => {
    const body = Buffer.from(text);
    const sliced = await scanner.scanBodyInSlices(body, type, () => Promise.reject(new Error('no pause')));
    for (const { findings, mask } of [scanner.scanBody(body, type), sliced]) {
      expect(findings).toEqual([]);
      expect(mask()).toBe(body);
    }
  });
});

const password = draw('A-Za-z0-9', 24, dice('operator line'));

describe('a line for the operator', () => {
  it('is unchanged without a secret', () => {
    const line =
      'gateway listens on http://127.0.0.1:6001 (0192f0c1-5b7e-7cc3-9b6e-2f1f7e1d3a44, digest 22bbc593f7e4f56b)';
    expect(operatorLine(line)).toBe(line);
    expect(operatorLine('Zürich 東京 🔑')).toBe('Zürich 東京 🔑');
  });

  // log-15
  it('stays one line, and contains no sequence that moves a cursor', () => {
    expect(operatorLine('one\r\ntwo\n\tthree\u2028four\u001b[2Kfive\u0000\u0085six\n')).toBe(
      'one two three four [2Kfive six',
    );
  });

  it.each([
    [`connect failed: postgres://svc:${password}@db.internal/app`, 'connection-string'],
    [`proxy https://user:${password}@proxy.internal:3128 refused`, 'connection-string'],
    [`header Authorization: Bearer ${draw('A-Za-z0-9_-', 60, dice('bearer'))}`, 'access-token'],
    [`client_secret = "${password}" is wrong`, 'entropy'],
  ])('shows nothing of a secret that an error quotes: %#', (text, kind) => {
    const line = operatorLine(text);
    expect(line).toContain(`[secret:${kind}]`);
    expect(line).not.toContain(password);
    expect(line.split(' ')[0]).toBe(text.split(' ')[0]);
  });

  it.each(TOKEN_RULES.flatMap((rule) => rule.forms.map((form) => [form, rule] as const)))('masks %s', (form, rule) => {
    const { text, value } = specimenOf(rule, form, `line ${form}`);
    expect(operatorLine(`The provider said: ${text} is not valid.`)).not.toContain(value);
  });

  it('is the same where it passes through twice, as a line of one program that another one logs', () => {
    const pieces = constantFrom(
      `postgres://svc:${password}@db/app`,
      `password="${password}"`,
      'plain',
      '\n',
      '🔑',
      ' ',
    );
    assert(
      property(array(pieces, { maxLength: 8 }), (parts) => {
        const line = operatorLine(parts.join(' '));
        expect(operatorLine(line)).toBe(line);
        expect(line).not.toMatch(/[\r\n]/);
        expect(line).not.toContain(password);
      }),
    );
  });
});
