import { expect, it } from 'vitest';
import { isOwnOrigin } from './query-server.ts';

it.each([
  { page: undefined, host: 'gateway.example:6001', that: 'no page at all' },
  { page: 'http://127.0.0.1:6001', host: '127.0.0.1:6001', that: 'an address' },
  { page: 'http://localhost:6001', host: 'localhost:6001', that: 'this machine' },
  { page: 'http://docs.localhost:6001', host: 'docs.localhost:6001', that: 'a name under localhost' },
  { page: 'http://[::1]:6001', host: '[::1]:6001', that: 'an address of version 6' },
  { page: 'http://10.0.0.7', host: '10.0.0.7', that: 'the usual port left out' },
  { page: 'http://10.0.0.7', host: '10.0.0.7:80', that: 'the usual port named once' },
  { page: 'https://gateway.example', host: 'gateway.example', that: 'a name that a certificate has proven' },
  { page: 'https://gateway.example:8443', host: 'gateway.example:8443', that: 'the same on another port' },
])('$page may ask $host: $that', ({ page, host }) => {
  expect(isOwnOrigin(page, host)).toBe(true);
});

it.each([
  { page: 'https://evil.example', host: '127.0.0.1:6001', that: 'a foreign page' },
  { page: 'http://evil.example', host: 'evil.example', that: 'a name that points here for the attack (DNS rebinding)' },
  { page: 'http://localhost:3000', host: 'localhost:6001', that: 'another port' },
  { page: 'https://localhost:6001', host: '127.0.0.1:6001', that: 'another name' },
  { page: 'http://127.0.0.1.evil.example', host: '127.0.0.1.evil.example', that: 'a name that looks like an address' },
  { page: 'null', host: '127.0.0.1:6001', that: 'a page without an origin' },
  { page: '', host: '127.0.0.1:6001', that: 'an empty origin' },
  { page: 'http://127.0.0.1:6001/', host: '127.0.0.1:6001', that: 'a URL instead of an origin' },
  { page: 'http://user@127.0.0.1:6001', host: '127.0.0.1:6001', that: 'an origin with a user' },
  { page: 'http://127.0.0.1:6001', host: undefined, that: 'no host to compare with' },
])('$page may not ask $host: $that', ({ page, host }) => {
  expect(isOwnOrigin(page, host)).toBe(false);
});
