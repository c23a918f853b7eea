import { describe, expect, it } from 'vitest';
import { dice, draw, specimenOf } from '../../testing/specimen.ts';
import { viewOf } from '../../testing/view.ts';
import type { TokenRule } from '../rule.ts';
import { FOUND, MORE, NO, type Verdict } from '../view.ts';
import { compileShape } from './shape.ts';
import { checkToken } from './token.ts';

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
