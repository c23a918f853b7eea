import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRepeatedHeader, isCrossSite } from './security-headers.ts';

describe('a header that may occur once', () => {
  it.each(['Authorization', 'COOKIE', 'host', 'Origin', 'Sec-Fetch-Site', 'X-API-Key'])(
    'is found when it occurs twice: %s',
    (name) => {
      expect(findRepeatedHeader(['Accept', '*/*', name, 'a', 'Accept', '*/*', name.toLowerCase(), 'a'])).toBe(
        name.toLowerCase(),
      );
    },
  );
  it('is not mistaken in a value', () => {
    expect(findRepeatedHeader(['host', 'host', 'x', 'host', 'accept', 'host'])).toBeUndefined();
  });
  it('is not a header that may be repeated', () => {
    expect(
      findRepeatedHeader(['accept', 'a', 'accept', 'b', 'x-forwarded-for', 'a', 'x-forwarded-for', 'b']),
    ).toBeUndefined();
  });
  it('is found at every position', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('accept', 'x-a', 'x-b')), fc.nat(), fc.nat(), (names, one, other) => {
        const lines: string[] = [...names];
        lines.splice(one % (lines.length + 1), 0, 'Host');
        lines.splice(other % (lines.length + 1), 0, 'hOST');
        expect(findRepeatedHeader(lines.flatMap((name) => [name, 'value']))).toBe('host');
      }),
      { verbose: true },
    );
  });
});

const ORIGINS = ['https://gateway.example'];
const ask = (method: string, headers: Record<string, string>) =>
  new Request('http://console.example:6002/api/providers', {
    method,
    headers: { host: 'console.example:6002', ...headers },
  });

describe('a request that changes something', () => {
  it.each([
    ['a program', {}],
    ['the own page', { 'sec-fetch-site': 'same-origin', origin: 'http://console.example:6002' }],
    ['the own page behind a proxy that ends TLS', { origin: 'https://console.example:6002' }],
    [
      'the own page behind a proxy that changes Host, as the browser says',
      { 'sec-fetch-site': 'same-origin', origin: 'https://console.public' },
    ],
    ['the own page at the configured origin', { origin: 'https://gateway.example' }],
    ['somebody who typed the address', { 'sec-fetch-site': 'none' }],
  ])('of %s is of this site', (_, headers) => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      expect(isCrossSite(ask(method, headers), ORIGINS)).toBe(false);
  });
  it.each([
    ['another host', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://console.example:8080' }],
    ['the default port', { origin: 'http://console.example' }],
    ['the configured host under another scheme', { origin: 'http://gateway.example' }],
    ['a neighbour at the configured origin', { 'sec-fetch-site': 'same-site', origin: 'https://gateway.example' }],
    ['a longer name', { origin: 'http://console.example:6002.evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['nowhere', { origin: '' }],
    ['a neighbouring host, as the browser says', { 'sec-fetch-site': 'same-site' }],
    ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    [
      'another site that also claims this origin',
      { 'sec-fetch-site': 'cross-site', origin: 'http://console.example:6002' },
    ],
    ['an unknown place', { 'sec-fetch-site': 'future-word' }],
  ])('of %s is of another site', (_, headers) => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      expect(isCrossSite(ask(method, headers), ORIGINS)).toBe(true);
  });
});

it('a request that only reads is of no site', () => {
  for (const method of ['GET', 'HEAD'])
    expect(isCrossSite(ask(method, { origin: 'https://evil.example' }), ORIGINS)).toBe(false);
});
