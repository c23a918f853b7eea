import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import type { NamedRule } from '../rule.ts';
import { FOUND, MORE, NO, type Verdict, type View } from '../view.ts';
import { checkNamed, compileValue } from './named.ts';

const roll = dice('named');
const rule: NamedRule = {
  id: 'acme-key',
  title: 'Acme key',
  kind: 'access-token',
  source: 'https://example.org',
  words: ['acme'],
  values: ['uuid', '[a-f0-9]{32}', '[A-Za-z0-9]{40,42}'],
};
const forms = rule.values.map(compileValue);
const check = (view: View, from: number, to: number): Verdict => checkNamed(forms, view, from, to);
const hex = draw('0-9a-f', 32, roll);
const mixed = draw('A-Za-z0-9', 41, roll);
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('compileValue', () => {
  it('reads a class with its count, and uuid', () => {
    expect(compileValue('[a-f0-9]{32}')).toMatchObject({ uuid: false, min: 32, max: 32, hex: true });
    expect(compileValue('[A-Za-z0-9]{40,42}')).toMatchObject({ min: 40, max: 42, hex: false });
    expect(compileValue('uuid')).toMatchObject({ uuid: true, min: 36, max: 36 });
  });

  it.each(['', 'a{3}', '[a]', '[a]{3}x', 'UUID'])('refuses %j', (source) => {
    expect(() => compileValue(source)).toThrow('not the form of a value');
  });
});

describe('checkNamed', () => {
  it.each([hex, mixed, uuid])('finds a value of every form under the word: %s', (value) => {
    for (const text of [`ACME_API_KEY=${value}`, `"acmeToken": "${value}"`, `acme: ${value}`]) {
      expect(ask(check, 'acme', text)).toMatchObject({ verdict: FOUND, value });
    }
  });

  it.each([hex, uuid])('leaves the marks of a sentence behind a bare value alone: %s', (value) => {
    for (const mark of ['.', '!', '?', ':', '...', '?!', '.**', '_'])
      for (const after of ['', ' ', '\n', ')']) {
        const text = `ACME_API_KEY=${value}${mark}${after}`;
        expect(ask(check, 'acme', text)).toMatchObject({ verdict: FOUND, value });
      }
    expect(ask(check, 'acme', `ACME_API_KEY=${value}.`, false).verdict).toBe(MORE);
    expect(ask(check, 'acme', `ACME_API_KEY=${value}.0`).verdict).toBe(NO);
  });

  it.each([
    `acme_key = "${hex}0"`,
    `acme_key = "${hex.slice(1)}"`,
    `acme_commit = "${hex}"`,
    `acme_version: ${uuid}`,
    `acme_url = "${hex}"`,
    `acme_key = "${'a'.repeat(32)}"`,
    `acme_key = "${'getAccountSettingsForTheCurrentOrganizationName'.slice(0, 41)}"`,
    `acme ${hex.slice(0, 8)}`,
    `image: registry.internal/acme:${hex}`,
  ])('finds nothing in %s', (text) => {
    expect(ask(check, 'acme', text).verdict).toBe(NO);
  });

  it('waits only while the value can still take one of its forms', () => {
    expect(ask(check, 'acme', `acme_key = "${hex.slice(0, 9)}`, false).verdict).toBe(MORE);
    expect(ask(check, 'acme', `acme_key = "${hex.slice(0, 9)}!`, false).verdict).toBe(NO);
    expect(ask(check, 'acme', `acme_key = "${mixed}${mixed}`, false).verdict).toBe(NO);
  });

  it('reads the parts of a name, however much of it there is', () => {
    const text = `acme.api.token = "${uuid}"`;
    expect(ask(check, 'acme', text)).toMatchObject({ verdict: FOUND, value: uuid });
    for (let end = 4; end < text.length; end++)
      expect(ask(check, 'acme', text.slice(0, end), false).verdict).toBe(MORE);
    expect(ask(check, 'acme', 'acme. Then', false).verdict).toBe(NO);
  });

  it.each([
    `acme.com: ${uuid}`,
    `acme.dyno = "${uuid}"`,
    `acme.1.token = "${uuid}"`,
    `${'acme.a'.repeat(20)}.token=${uuid}`,
  ])('finds nothing under a name whose parts tell nothing, or too many: %s', (text) => {
    expect(ask(check, 'acme', text).verdict).toBe(NO);
  });
});
