import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOKEN_RULES } from '../rules/index.ts';
import { dice, draw, specimenOf } from '../testing/specimen.ts';
import { operatorLine } from './operator-line.ts';

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
