import { expect, it } from 'vitest';
import { KINDS } from '../verify/rule.ts';
import { allowanceOf, digestOf, maskOf } from './finding.ts';

// relay-35
it('a mask names the kind of the secret, and nothing else', () => {
  expect(KINDS.map(maskOf)).toEqual([
    '[secret:infra-key]',
    '[secret:access-token]',
    '[secret:private-key]',
    '[secret:connection-string]',
    '[secret:entropy]',
  ]);
});

it('an allowance is the SHA-256 of the value, as sha256sum prints it', () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(allowanceOf(Buffer.from('abc'))).toBe(digest);
});

// relay-36
it('a digest is an HMAC-SHA-256 (RFC 4231, test case 2)', () => {
  const digest = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  expect(digestOf(Buffer.from('Jefe'), Buffer.from('what do ya want for nothing?'))).toBe(digest);
});
