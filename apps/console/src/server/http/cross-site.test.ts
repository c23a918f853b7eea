import { describe, expect, it } from 'vitest';
import { isCrossSite } from './cross-site.ts';

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
