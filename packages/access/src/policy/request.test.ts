import { expect, it } from 'vitest';
import { plain } from './request.ts';

it.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::FFFF:10.0.0.1', '10.0.0.1'],
  ['::ffff:0:1', '::ffff:0:1'],
  ['64:ff9b::ffff:10.0.0.1', '64:ff9b::ffff:10.0.0.1'],
  ['fe80::1%eth0', 'fe80::1'],
])('a policy receives %s as %s', (address, expected) => {
  expect(plain(address)).toBe(expected);
});
