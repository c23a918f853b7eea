import { expect, it } from 'vitest';
import { addressOf, listeningFault } from './listening.ts';

const failed = (code: string): Error => Object.assign(new Error('listen'), { code });

it.each([
  ['EADDRINUSE', null, 'PORT: port 6002 cannot be opened (EADDRINUSE): another program listens there.'],
  ['EADDRINUSE', '::1', 'PORT: port 6002 of ::1 cannot be opened (EADDRINUSE): another program listens there.'],
  ['EACCES', '10.0.0.1', 'PORT: port 6002 of 10.0.0.1 cannot be opened (EACCES).'],
  ['EADDRNOTAVAIL', '203.0.113.9', 'HOST: port 6002 of 203.0.113.9 cannot be opened (EADDRNOTAVAIL).'],
  ['EAFNOSUPPORT', '::1', 'HOST: port 6002 of ::1 cannot be opened (EAFNOSUPPORT).'],
])('%s on %j is reported with the variable that fixes it', (code, host, line) => {
  expect(listeningFault(failed(code), host, 6002)).toBe(line);
});

it.each([
  [null, 'http://localhost:6002'],
  ['0.0.0.0', 'http://localhost:6002'],
  ['::', 'http://localhost:6002'],
  ['127.0.0.1', 'http://127.0.0.1:6002'],
  ['::1', 'http://[::1]:6002'],
])('what listens on %j is opened at %s', (host, address) => {
  expect(addressOf('http', host, 6002)).toBe(address);
});
