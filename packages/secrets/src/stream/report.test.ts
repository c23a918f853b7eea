import { createHmac } from 'node:crypto';
import { array, assert, constantFrom, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileCatalogue } from '../scan/catalogue.ts';
import { allowanceOf, runToEnd } from '../scan/response.ts';
import { dice, draw } from '../testing/specimen.ts';
import { type BodyReport, readBody, reportOf } from './scanner.ts';

const key = Buffer.from('reports');
const catalogue = compileCatalogue(true);
const roll = dice('report');
const token = `ghp_${draw('A-Za-z0-9', 36, roll)}`;
const other = `glpat-${draw('A-Za-z0-9', 20, roll)}`;
const password = draw('A-Za-z0-9', 24, roll);
const MASK = '[secret:access-token]';

interface Options {
  readonly isJson?: boolean;
  readonly most?: number;
  readonly allow?: readonly string[];
}

function report(text: string, { isJson = false, most = 100, allow = [] }: Options = {}): BodyReport {
  const body = Buffer.from(text);
  const scan = runToEnd(readBody(catalogue, body, true));
  const allowed = new Set(allow.map((value) => allowanceOf(Buffer.from(value))));
  return runToEnd(reportOf(body, scan, { isJson, key, allowed, most }));
}

const masked = (text: string, options: Options = {}): string => Buffer.from(report(text, options).mask()).toString();

describe('a masked body', () => {
  it.each([
    [token, MASK],
    [`${token} `, `${MASK} `],
    [` ${token}`, ` ${MASK}`],
    [`${token} ${other}`, `${MASK} ${MASK}`],
    [`${token}"${token}`, `${MASK}"${MASK}`],
    [`{"a":"${token}","b":"${other}"}`, `{"a":"${MASK}","b":"${MASK}"}`],
    [`é${token}é🔑`, `é${MASK}é🔑`],
  ])('has the mask in the place of each secret, and nothing else: %s', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  it.each([0, 1, 63, 64, 65, 66, 1000])('keeps %i bytes before, between and behind secrets', (length) => {
    const gap = ' word'.repeat(length).slice(0, length);
    expect(masked(`${gap} ${token} ${gap} ${other} ${gap}`)).toBe(`${gap} ${MASK} ${gap} ${MASK} ${gap}`);
  });

  it('can be made again, and later, and is no view of the body', () => {
    const { mask } = report(`use ${token} now`);
    const first = mask();
    report(`\\"${other}\\" and ${token}`).mask();
    expect(Buffer.from(mask()).toString()).toBe(`use ${MASK} now`);
    first.fill(0);
    expect(Buffer.from(mask()).toString()).toBe(`use ${MASK} now`);
  });

  it('has the kind of each secret in its mask', () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${draw('A-Za-z0-9+/', 64, roll)}\n-----END PRIVATE KEY-----`;
    const text = `${pem}\npostgres://svc:${password}@db.internal/app\ndb_password = "${draw('A-Za-z0-9', 24, roll)}"\n`;
    expect(masked(text)).toBe(
      '[secret:private-key]\npostgres://svc:[secret:connection-string]@db.internal/app\ndb_password = "[secret:entropy]"\n',
    );
  });

  it('stays JSON, and all of its other values stay what they were', () => {
    const unit = constantFrom(...Array.from('au:" \\\n\b\f\0/é€🔑\u2028'));
    const written = string({ unit, maxLength: 12 });
    const secret = constantFrom('', token, `postgres://svc:${password}@db.internal/app`, `api_key = '${password}'`);
    const depth = integer({ min: 0, max: 3 });
    assert(
      property(array(written, { minLength: 1, maxLength: 4 }), secret, depth, (texts, planted, levels) => {
        const value = [...texts, ` ${planted} `];
        let json = JSON.stringify(value);
        for (let level = 0; level < levels; level++) json = JSON.stringify(json);
        let result: unknown = masked(json, { isJson: true });
        for (let level = 0; level <= levels; level++) result = JSON.parse(String(result));
        expect(result).toHaveLength(value.length);
        expect((result as unknown[]).slice(0, -1)).toEqual(texts);
        expect(JSON.stringify(result)).not.toContain(planted === '' ? 'nothing' : planted.slice(-30));
      }),
      { numRuns: 300 },
    );
  });

  it.each(['\b', '\f', '\n', '\r', '\t', '/', '"', '\0'])('is masked, and stays JSON, right behind %j', (mark) => {
    for (const secret of [token, `figd_${draw('A-Za-z0-9', 40, roll)}`, `bkua_${draw('a-z0-9', 40, roll)}`]) {
      const result = masked(JSON.stringify({ text: `page 1${mark}${secret} ` }), { isJson: true });
      expect(JSON.parse(result)).toEqual({ text: `page 1${mark}${MASK} ` });
    }
  });

  it('cuts no character: it is UTF-8 where the body is', () => {
    const piece = constantFrom(
      'é',
      '€',
      '🔑',
      '"',
      '\n',
      ' ',
      'a',
      '=',
      ':',
      '@',
      'password',
      '://svc:',
      token,
      password,
    );
    const decoder = new TextDecoder('utf-8', { fatal: true });
    assert(
      property(array(piece, { maxLength: 30 }), (pieces) => {
        expect(() => decoder.decode(report(pieces.join('')).mask())).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

describe('a finding in a body', () => {
  it('has its position in the body, not in the decoded text', () => {
    const before = '{"text":"\\u0061\\\\\\"é\\n ';
    const text = `${before}${token}\\n"}`;
    const [finding] = report(text).findings;
    expect(Buffer.from(text).subarray(finding?.start, finding?.end).toString()).toBe(token);
    expect(finding?.start).toBe(Buffer.byteLength(before));
  });

  it('covers the escapes that its value is written with, and has the length and digest of the value', () => {
    const written = Array.from(token, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const [finding] = report(`x ${written} y`).findings;
    expect(finding).toMatchObject({ start: 2, end: 2 + written.length, length: token.length });
    expect(finding?.digest).toBe(createHmac('sha256', key).update(token).digest('hex'));
    expect(masked(`x ${written} y`)).toBe(`x ${MASK} y`);
  });

  it('has a pointer only in JSON', () => {
    const text = JSON.stringify({ list: [1, { deep: token }] });
    expect(report(text, { isJson: true }).findings.map(({ pointer }) => pointer)).toEqual(['/list/1/deep']);
    expect(report(text).findings.map(({ pointer }) => pointer)).toEqual([null]);
  });

  it.each([
    ['cut off', `{"list":[1,{"deep":"${token}`],
    ['no JSON at all', `<b>${token}</b>`],
    ['empty but for it', token],
  ])('is reported where the JSON is broken: %s', (_, text) => {
    const { findings } = report(text, { isJson: true });
    expect(findings.map(({ start, end }) => text.slice(start, end))).toEqual([token]);
  });
});

describe('a value that is no secret here', () => {
  it('is neither reported nor masked, and others beside it are', () => {
    const text = `${token} ${other} ${token}`;
    const { findings, mask } = report(text, { allow: [token] });
    expect(findings.map(({ start, end }) => text.slice(start, end))).toEqual([other]);
    expect(Buffer.from(mask()).toString()).toBe(`${token} ${MASK} ${token}`);
  });

  it('is compared decoded', () => {
    expect(report(`\\u0067${token.slice(1)}`, { allow: [token] }).findings).toEqual([]);
    expect(report(token, { allow: [token.slice(0, -1)] }).findings).toHaveLength(1);
  });

  it.each([
    ['Stripe’s documentation', ['sk_test_4eC39HqLyj', 'WDarjtT1zdp7dc']],
    [
      'the storage emulator',
      ['AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6', 'tq/K1SZFPTOtr/KBHBeksoGMGw=='],
    ],
  ])('is one that everybody has: %s', (_, pieces) => {
    const text = `use ${pieces.join('')};`;
    expect(masked(text)).toBe(text);
    expect(report(text.replace('4eC39', '7fD28').replace('Eby8v', 'Kx7Qz')).findings).toHaveLength(1);
  });

  it('does not count among those reported one by one', () => {
    const { findings } = report(`${token} ${token} ${other}`, { allow: [token], most: 1 });
    expect(findings.map(({ rule, occurrences }) => [rule, occurrences])).toEqual([['gitlab-token', 1]]);
  });
});

describe('more findings than are reported one by one', () => {
  const tokens = Array.from({ length: 7 }, () => `ghp_${draw('A-Za-z0-9', 36, roll)}`);
  const text = JSON.stringify([...tokens, other, `${other}x9`]);
  const [most, rest] = [3, 4];

  it('are counted once a rule, at the first position, and all are masked', () => {
    const { findings, mask } = report(text, { isJson: true, most });
    expect(findings.map(({ rule, pointer, occurrences }) => [rule, pointer, occurrences])).toEqual([
      ...tokens.slice(0, most).map((_, at) => ['github-token', `/${at}`, 1]),
      ['github-token', null, rest],
      ['gitlab-token', null, 2],
    ]);
    expect(text.slice(findings[most]?.start, findings[most]?.end)).toBe(tokens[most]);
    expect(JSON.parse(Buffer.from(mask()).toString())).toEqual(Array.from({ length: 9 }, () => MASK));
  });

  it('are as many as there are', () => {
    for (const limit of [1, 2, 8, 9, 100]) {
      const counts = report(text, { most: limit }).findings.map(({ occurrences }) => occurrences);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(9);
    }
  });

  it('show no secret in the pointer of one that is reported, even where its own place is only counted', () => {
    const nested = JSON.stringify({ [tokens[0] ?? '']: { [tokens[1] ?? '']: { [tokens[2] ?? '']: other } } });
    for (const limit of [1, 2, 3, 4]) {
      const { findings } = report(nested, { isJson: true, most: limit });
      for (const secret of tokens) expect(JSON.stringify(findings)).not.toContain(secret);
    }
  });
});
