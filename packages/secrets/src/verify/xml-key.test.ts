import { describe, expect, it } from 'vitest';
import { rsaKey } from '../testing/rsa-key.ts';
import { ask } from '../testing/view.ts';
import { checkXmlKey, swallowXml } from './pem.ts';
import { FOUND, MORE, NO } from './view.ts';

const jwk = rsaKey(1024);
const element = (name: string, value = ''): string =>
  `<${name}>${Buffer.from(value, 'base64url').toString('base64')}</${name}>`;
const PUBLIC = `<RSAKeyValue>${element('Modulus', jwk.n)}${element('Exponent', jwk.e)}`;
const PRIVATE = [
  element('P', jwk.p),
  element('Q', jwk.q),
  element('DP', jwk.dp),
  element('DQ', jwk.dq),
  element('InverseQ', jwk.qi),
  element('D', jwk.d),
].join('');

/** The whole of what `checkXmlKey` and `swallowXml` take. */
function taken(text: string): string {
  const { verdict, view } = ask(checkXmlKey, '</exponent>', text);
  if (verdict !== FOUND) return '';
  const { from } = view;
  swallowXml(view, view.to);
  return text.slice(from, view.to);
}

describe('checkXmlKey', () => {
  it('finds the private parts as a whole', () => {
    expect(taken(`${PUBLIC}${PRIVATE}</RSAKeyValue> and more`)).toBe(PRIVATE);
    expect(taken(`${PUBLIC}${PRIVATE}`)).toBe(PRIVATE);
  });

  it('finds them on lines of their own, and in another order', () => {
    const lines = PRIVATE.replaceAll('><', '>\n    <');
    expect(taken(`${PUBLIC}\n    ${lines}\n</RSAKeyValue>`).trim()).toBe(lines);
    const alone = element('D', jwk.d);
    expect(taken(`${PUBLIC}${alone}</RSAKeyValue>`)).toBe(alone);
  });

  it.each([
    ['a listing', (line: number) => `${String(line).padStart(6)}\t`],
    ['a listing with arrows', (line: number) => `${String(line).padStart(6)}\xe2\x86\x92`],
    ['a table', (line: number) => `${line} | `],
    ['matches of a search', (line: number) => `src/key-pair.xml:${line}:`],
    ['a difference', () => '-'],
    ['a comment', () => '# '],
  ])('finds them in %s', (_, mark) => {
    const text = `${PUBLIC}${PRIVATE}</RSAKeyValue>`
      .split(/(?<=>)(?=<[A-Z])|(?=<\/RSA)/)
      .map((line, index) => `${mark(index)}${line}`)
      .join('\n');
    const found = taken(`${text}\n`);
    expect(found.startsWith(element('P', jwk.p))).toBe(true);
    expect(found).toContain(element('D', jwk.d));
  });

  it.each([
    [`${PUBLIC}</RSAKeyValue>`, 'a public key'],
    [`${PUBLIC}<P></P><Q></Q></RSAKeyValue>`, 'empty parts'],
    [`${PUBLIC}<P>...</P></RSAKeyValue>`, 'parts left out'],
    [`${PUBLIC}<P>${'A'.repeat(64)}</P>`, 'one letter'],
    [`${PUBLIC}<Product>${'k7Qz9mW2xT'.repeat(4)}</Product>`, 'another element'],
    [`${PUBLIC} and a paragraph`, 'text'],
  ])('is nothing in %s: %s', (text) => {
    expect(taken(text)).toBe('');
  });

  it('waits, and delays nothing of the public part', () => {
    const text = `${PUBLIC}<P`;
    const { verdict, view } = ask(checkXmlKey, '</exponent>', text, false);
    expect([verdict, view.hold]).toEqual([MORE, PUBLIC.length]);
    expect(ask(checkXmlKey, '</exponent>', `${PUBLIC}<R`, false).verdict).toBe(NO);
    expect(ask(checkXmlKey, '</exponent>', PUBLIC, false).view.hold).toBe(PUBLIC.length);
  });
});

describe('swallowXml', () => {
  it('waits where the text ends in a part, or before the name of a tag', () => {
    const cut = `${PUBLIC}${PRIVATE.slice(0, -3)}`;
    const { view } = ask(checkXmlKey, '</exponent>', cut, false);
    expect(swallowXml(view, view.to)).toBe(false);
  });

  it('ends before anything that is no private part', () => {
    expect(taken(`${PUBLIC}${element('P', jwk.p)}<b>bold</b>`)).toBe(element('P', jwk.p));
  });
});
