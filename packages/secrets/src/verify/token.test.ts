import { describe, expect, it } from 'vitest';
import { TOKEN_RULES } from '../scan/catalogue.ts';
import { responsePolicyOf } from '../scan/response.ts';
import { createTextStream } from '../stream/events.ts';
import { createScanner } from '../stream/scanner.ts';
import { dice, draw, specimenOf } from '../testing/specimen.ts';
import { ask, viewOf } from '../testing/view.ts';
import type { TokenRule } from './rule.ts';
import {
  checkCookie,
  checkJwt,
  checkNkeySeed,
  checkToken,
  compileShape,
  matchShape,
  readWrappedBeginning,
  startOf,
} from './token.ts';
import { EVIDENCE, FOUND, MORE, NO, type Verdict } from './view.ts';

const base: TokenRule = {
  id: 'acme-token',
  title: 'Acme token',
  kind: 'access-token',
  source: 'https://example.org',
  forms: ['acme_[A-Za-z0-9]{36}'],
};
const form = base.forms[0] ?? '';
const shape = compileShape(form);

function check(rule: TokenRule, text: string, final = true): Verdict {
  return checkToken(rule, shape, viewOf(text, final), text.indexOf('acme_'));
}

const random = draw('A-Za-z0-9', 36, dice('token'));
const wordy = 'getAccountSettingsForCurrentUserName';

describe('checkToken', () => {
  it('weighs the text after a keyword in the middle, not the words before it', () => {
    const form = '[a-z0-9]{2,20}<_production_>[A-Za-z0-9]{24,100}';
    const middle = compileShape(form);
    const ask = (text: string) =>
      checkToken({ ...base, crossEntropy: 5.6 }, middle, viewOf(text), text.indexOf('_production_'));
    expect(ask(`rg_production_${random}`)).toBe(FOUND);
    expect(ask(`rg_production_${wordy}`)).toBe(NO);
  });

  it('finds a value of the form', () => {
    expect(check(base, `x acme_${random} y`)).toBe(FOUND);
    expect(check(base, `x acme_${random}`, false)).toBe(MORE);
  });

  it.each([
    `acme_${'x'.repeat(36)}`,
    `acme_${'A1'.repeat(18)}`,
    `acme_YOURTOKEN${random.slice(9)}`,
    `acme_${random.slice(0, 29)}Example`,
  ])('finds no placeholder: %s', (text) => {
    expect(check(base, text)).toBe(NO);
  });

  it('requires entropy where the rule demands it', () => {
    expect(check(base, `acme_${wordy}`)).toBe(FOUND);
    expect(check({ ...base, crossEntropy: 4.6 }, `acme_${wordy}`)).toBe(NO);
    expect(check({ ...base, crossEntropy: 4.6 }, `acme_${random}`)).toBe(FOUND);
  });

  it('lets a valid checksum settle it', () => {
    const rule: TokenRule = { ...base, checksum: 'crc32-base62', crossEntropy: 99 };
    const { text } = specimenOf(rule, form, 'checksum');
    expect(check(rule, text)).toBe(FOUND);
    expect(check(rule, `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`)).toBe(NO);
  });

  it('leaves out what the rule excepts', () => {
    expect(check({ ...base, except: [`acme_${random.slice(0, 2)}`] }, `acme_${random}`)).toBe(NO);
  });
});

const scanner = createScanner({ key: Buffer.from('wrapped') });
const responsePolicy = responsePolicyOf({ response: 'mask' });
const WRAPPED = TOKEN_RULES.filter(({ wrapped }) => wrapped === true).flatMap((rule) =>
  rule.forms.filter((form) => readWrappedBeginning(form) !== null).map((form) => ({ rule, form, id: rule.id })),
);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const found = (text: string) => scanner.scanText(text).map(({ rule, start, end }) => [rule, text.slice(start, end)]);

/** What a stream lets through of a text that comes in two pieces. */
function streamed(text: string, cut: number): string {
  const stream = createTextStream(scanner, responsePolicy);
  const pieces = [Buffer.from(text.slice(0, cut)), Buffer.from(text.slice(cut))];
  return [...pieces.map((piece) => stream.push(piece)), stream.end()]
    .map(({ bytes }) => Buffer.from(bytes).toString('latin1'))
    .join('');
}

describe('a token in base64', () => {
  it('is looked for where its form begins with letters enough', () => {
    expect(WRAPPED.length).toBeGreaterThan(30);
    expect(readWrappedBeginning('ghp_[A-Za-z0-9]{36}')).toBe('Z2hwX');
    expect(readWrappedBeginning('sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,26}')).toBeNull();
    expect(readWrappedBeginning('https://<hooks.slack.com/services/>T[A-Z0-9]{8,12}')).toBeNull();
    expect(readWrappedBeginning(':_auth=^[A-Za-z0-9+/=]{12,400}')).toBeNull();
  });

  it.each(WRAPPED)('is found whole: $id, $form', ({ rule, form }) => {
    for (let round = 0; round < 5; round++) {
      const { text } = specimenOf(rule, form, `wrapped ${form} ${round}`);
      for (const value of [base64(text), base64(`${text}\n`), Buffer.from(text).toString('base64url')]) {
        expect(found(`  token: ${value}\ndata: 1`)).toEqual([[rule.id, value]]);
        expect(found(JSON.stringify({ data: { token: value } }))).toEqual([[rule.id, value]]);
      }
    }
  });

  it.each(WRAPPED)('is masked the same for every division of a stream: $id, $form', ({ rule, form }) => {
    const value = base64(specimenOf(rule, form, `streamed ${form}`).text);
    const text = `see ${value} there`;
    // Five small letters may leave: they are the same for every token of the form.
    const begun = /^[a-z]{5}/.exec(value)?.[0] ?? '';
    for (let cut = 1; cut < text.length; cut++) {
      expect(streamed(text, cut)).toBe(`see ${begun}[secret:${rule.kind}] there`);
    }
  });

  it.each(['§', 'word§', 'word-§', '§word', 'a/§', '"§"', '--§'])(
    'has the same result in a body and in a stream: %s',
    (around) => {
      const rule = WRAPPED.find(({ id }) => id === 'github-token')!;
      const value = base64(specimenOf(rule.rule, rule.form, 'around').text);
      const text = `see ${around.replace('§', value)} there`;
      const masked = Buffer.from(scanner.scanBody(Buffer.from(text)).mask()).toString();
      for (let cut = 1; cut < text.length; cut++) expect(streamed(text, cut)).toBe(masked);
    },
  );

  it.each([
    ['a word with the same beginning', base64('ghp_ is how tokens begin here, and this is prose')],
    ['a placeholder', base64(`ghp_${'x'.repeat(36)}`)],
    ['a token cut short', base64('ghp_0aB1cD2eF3gH4')],
    ['the letters alone', 'Z2hwX'],
    ['other letters of the same spelling', 'z2HWX0FhQmJDY0Rk'],
    ['a part of a longer word', `word${base64(specimenOf({}, 'ghp_[A-Za-z0-9]{36}', 'part').text)}`],
  ])('is not %s', (_, text) => expect(found(`see ${text} there`)).toEqual([]));
});

function match(form: string, text: string, final = true) {
  const shape = compileShape(form);
  const view = viewOf(text, final);
  const verdict = matchShape(shape, view, text.indexOf(shape.keyword));
  return { verdict, value: text.slice(view.from, view.to), hold: view.hold, tail: view.tail };
}

describe('compileShape', () => {
  it.each([
    ['ghp_[A-Za-z0-9]{36}', 'ghp_', true],
    ['[A-Za-z0-9]{14}<.atlasv1.>[A-Za-z0-9]{60,70}', '.atlasv1.', true],
    ['AccountKey=^[A-Za-z0-9+/]{86}==', 'AccountKey=', false],
  ])('%s is looked for by %s', (form, keyword, inclusive) => {
    expect(compileShape(form)).toMatchObject({ keyword, inclusive });
  });

  it.each([
    ['a[b-c]{2}', 'no literal to look for'],
    ['[A-Z]{4}', 'no literal to look for'],
    ['ab[c-e]', 'a class without a count'],
    ['ab[c-e', 'a class without a count'],
    ['ab[a-z]{2,9}xyz', 'would need to go back'],
    ['ab[a-z]{2,9}[x-z]{3}', 'would need to go back'],
    ['a[a-z0-9]{2,9}<live_>[a-z]{9}', 'would need to go back'],
  ])('refuses %s: %s', (form, reason) => {
    expect(() => compileShape(form)).toThrow(reason);
  });
});

describe('matchShape', () => {
  const FORM = 'ab_[a-z]{4,6}-[0-9]{3}';

  it.each(['ab_wxyz-123', 'ab_wxyzvu-123'])('finds %s', (value) => {
    expect(match(FORM, `x ${value} y`)).toMatchObject({ verdict: FOUND, value, tail: null });
  });

  it.each([
    'ab_wxy-123',
    'ab_wxyzvut-123',
    'ab_wxyz123',
    'ab_wxyz-12',
    'ab_wxyz-1234',
    'ab_wxyz-123a',
    'ab_wxyz-123_',
    'zab_wxyz-123',
    '_ab_wxyz-123',
    'ab_WXYZ-123',
  ])('finds nothing in %s', (text) => {
    expect(match(FORM, text).verdict).toBe(NO);
  });

  it('respects the case of the keyword', () => {
    expect(matchShape(compileShape(FORM), viewOf('AB_wxyz-123'), 0)).toBe(NO);
  });

  it('includes the text before the keyword, and begins there', () => {
    const form = '[a-z0-9]{4}<.mid.>[a-z]{3}';
    expect(match(form, 'x ab12.mid.xyz')).toMatchObject({ verdict: FOUND, value: 'ab12.mid.xyz' });
    expect(match(form, 'x ab1.mid.xyz').verdict).toBe(NO);
    expect(match(form, 'xxab12.mid.xyz').verdict).toBe(NO);
    expect(match('https://<h.example/>[a-z]{3}', 'https://h.example/abc')).toMatchObject({
      value: 'https://h.example/abc',
    });
    expect(match('https://<h.example/>[a-z]{3}', 'http://h.example/abc').verdict).toBe(NO);
  });

  it('begins after what only announces the value', () => {
    expect(match('Key=^[a-z]{4}==', 'x;Key=abcd==;')).toMatchObject({ verdict: FOUND, value: 'abcd==' });
    expect(match('ab_[a-z^]{4}', 'x ab_c^de')).toMatchObject({ verdict: FOUND, value: 'ab_c^de' });
  });

  it('leaves the full stop that ends the sentence', () => {
    expect(match('ab_[a-z.]{3,9}', 'it is ab_xyz.')).toMatchObject({ verdict: FOUND, value: 'ab_xyz' });
  });

  it('decides a long value by its beginning', () => {
    const { verdict, value, tail } = match('ab_[a-z]{3,900}', `ab_${'xyz'.repeat(200)}`, false);
    expect([verdict, value.length, tail?.type]).toEqual([FOUND, EVIDENCE, 'run']);
  });

  it('waits at the end of an unfinished text, and delays the value from its beginning', () => {
    for (const text of ['x ab_', 'x ab_wx', 'x ab_wxyz', 'x ab_wxyz-', 'x ab_wxyz-12', 'x ab_wxyz-123']) {
      expect(match(FORM, text, false)).toMatchObject({ verdict: MORE, hold: 2 });
      expect(match(FORM, text).verdict).toBe(text.endsWith('123') ? FOUND : NO);
    }
  });
});

describe('startOf', () => {
  it('returns where a token with a keyword at a position would begin, or that none can', () => {
    const start = startOf(compileShape('[a-z0-9]{4}<.mid.>[a-z]{3}'));
    expect(start(viewOf('x ab12.mid'), 6)).toBe(2);
    expect(start(viewOf('x b12.mid'), 5)).toBe(-1);
    const plain = startOf(compileShape('ab_[a-z]{4}'));
    expect(plain(viewOf('x ab'), 2)).toBe(2);
    expect(plain(viewOf('xab'), 1)).toBe(-1);
  });
});

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const signature = draw('A-Za-z0-9_-', 43, dice('jwt'));
const token = [encode({ alg: 'HS256', typ: 'JWT' }), encode({ sub: 'svc', iat: 1 }), signature].join('.');

describe('checkJwt', () => {
  it.each([
    { alg: 'RS256' },
    { typ: 'JWT', alg: 'ES256' },
    { kid: 'a1', alg: 'RS256' },
    { enc: 'A256GCM', alg: 'dir' },
  ])('recognizes a header that decodes: %j', (header) => {
    const text = `${encode(header)}.${encode({ sub: 'svc', iat: 1 })}.${signature}`;
    expect(ask(checkJwt, 'eyJ', `Bearer ${text}`)).toMatchObject({ verdict: FOUND });
    expect(text.startsWith(ask(checkJwt, 'eyJ', `Bearer ${text}`).value)).toBe(true);
  });

  it('continues after the weighed part, through its full stops', () => {
    const { view } = ask(checkJwt, 'eyJ', token);
    expect(view.tail).toMatchObject({ type: 'run' });
    expect(view.tail?.type === 'run' && view.tail.joiners?.[0x2e]).toBe(1);
  });

  it('decides a header that is longer than the evidence', () => {
    const header = encode({ alg: 'RS256', x5c: draw('A-Za-z0-9', 300, dice('x5c')) });
    expect(ask(checkJwt, 'eyJ', header).verdict).toBe(FOUND);
  });

  it.each([
    [encode({ hello: 'world', n: 1 }), 'no header'],
    [`${encode({ name: 'x' })}.${encode({ sub: 'x' })}`, 'another object'],
    [encode({ alg: 'HS256' }), 'a header alone'],
    [`${encode({ alg: 'HS256' })}.e30`, 'an empty body'],
    [`${encode({ alg: 'HS256' })}.AAAAAAAAAAAAAAAA`, 'a body of one letter'],
    [`word${token}`, 'the middle of a word'],
    [
      `${encode({ alg: 'HS256' })}.${encode({ sub: '1234567890', name: 'John Doe', iat: 1 })}.x`,
      'the example of jwt.io',
    ],
    [
      `${encode({ alg: 'HS256' })}.${encode({ iss: 'supabase-demo', role: 'anon' })}.x`,
      'the demonstration of Supabase',
    ],
  ])('is nothing: %s (%s)', (text) => {
    expect(ask(checkJwt, 'eyJ', text).verdict).toBe(NO);
  });

  it('waits, and delays it from its beginning', () => {
    for (const at of [5, 20, token.indexOf('.') + 3]) {
      const { verdict, view } = ask(checkJwt, 'eyJ', `x ${token.slice(0, at)}`, false);
      expect([verdict, view.hold]).toEqual([MORE, 2]);
    }
  });
});

const seed = `SU${draw('A-Z2-7', 56, dice('nkey'))}`;

describe('checkNkeySeed', () => {
  it.each([
    `nkey: ${seed}`,
    `nkey_seed = "${seed}"`,
    `nkey ${seed.replace('SU', 'SA')}`,
    `NKEY=${seed.replace('SU', 'SO')}`,
  ])('finds a seed of any role: %s', (text) => {
    expect(ask(checkNkeySeed, 'nkey', text)).toMatchObject({
      verdict: FOUND,
      value: text.match(/S[UAO][A-Z2-7]{56}/)?.[0],
    });
  });

  it.each([
    `nkey: ${seed.replace('SU', 'SZ')}`,
    `nkey: ${seed.slice(1)}`,
    `nkey: ${seed}A`,
    `nkey: S${'U'.repeat(57)}`,
    `nkey: ${'far '.repeat(13)}${seed}`,
    `monkey: ${seed}`,
    'nkey',
  ])('is nothing: %s', (text) => {
    expect(ask(checkNkeySeed, 'nkey', text).verdict).toBe(NO);
  });

  it('waits, and delays the seed', () => {
    const { verdict, view } = ask(checkNkeySeed, 'nkey', `nkey: ${seed.slice(0, 30)}`, false);
    expect([verdict, view.hold]).toEqual([MORE, 6]);
  });
});

const roll = dice('cookie');
const value = draw('A-Za-z0-9', 32, roll);
const hex = draw('0-9a-f', 32, roll);

describe('checkCookie', () => {
  it.each([
    [`Cookie: theme=dark; session=${value}; x=1`, 'session=', value],
    [`Set-Cookie: sid=${hex}; Path=/; HttpOnly`, 'sid=', hex],
    [`curl -b "PHPSESSID=${value}" https://h`, 'sessid=', value],
    [`http://h/page;jsessionid=${hex}?x`.replace('?x', ' x'), 'sessionid=', hex],
    [`connect.sid=s%3A${value}.${value}`, 'sid=', `s%3A${value}.${value}`],
    [`Cookie: ASPSESSIONIDCQBTRQCB=${value}`, 'aspsessionid', value],
    [`document.cookie = "session_id=${value}"`, 'session_id=', value],
  ])('finds the value: %s', (text, keyword, found) => {
    expect(ask(checkCookie, keyword, text)).toMatchObject({ verdict: FOUND, value: found });
  });

  it.each([
    [`session=${value}`, 'session=', 'no word of cookies'],
    ['Cookie: session=abc123', 'session=', 'short'],
    ['Set-Cookie: session=someVeryLongIdentifierOfWords', 'session=', 'words'],
    [`Cookie: session=${'x'.repeat(32)}`, 'session=', 'a placeholder'],
    ['Cookie: session=<your session>', 'session=', 'a template'],
    ['Cookie: sid=0123456789', 'sid=', 'a number'],
    [`Cookie: ASPSESSIONID and ${value}`, 'aspsessionid', 'no value'],
  ])('is nothing in %s: %s %s', (text, keyword) => {
    expect(ask(checkCookie, keyword, text).verdict).toBe(NO);
  });

  it('decides a long one by its beginning, and returns how it continues', () => {
    const { verdict, view } = ask(checkCookie, 'session=', `Cookie: session=${value.repeat(5)}`, false);
    expect([verdict, view.tail?.type]).toEqual([FOUND, 'run']);
  });

  it('waits, and delays the value', () => {
    const text = 'Cookie: session=';
    expect(ask(checkCookie, 'session=', `${text}a9`, false).view.hold).toBe(text.length);
  });
});
