import { describe, expect, it } from 'vitest';
import { TOKEN_RULES } from '../../rules/index.ts';
import { responsePolicyOf } from '../../scan/response.ts';
import { createScanner } from '../../scanner/scanner.ts';
import { createTextStream } from '../../stream/unnamed.ts';
import { dice, draw, specimenOf } from '../../testing/specimen.ts';
import { viewOf } from '../../testing/view.ts';
import type { TokenRule } from '../rule.ts';
import { FOUND, MORE, NO, type Verdict } from '../view.ts';
import { compileShape } from './shape.ts';
import { checkToken, readWrappedBeginning } from './token.ts';

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
