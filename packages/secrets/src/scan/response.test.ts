import { describe, expect, it } from 'vitest';
import { blockingKinds, createScanner, respond, responsePolicyOf } from '../index.ts';
import { dice, draw } from '../testing/specimen.ts';
import { KINDS } from '../verify/rule.ts';
import { allowanceOf, digestOf, maskOf } from './response.ts';

const scanner = createScanner({ key: Buffer.from('response') });
const roll = dice('response');
const high = scanner.scanText(`ghp_${draw('A-Za-z0-9', 36, roll)} glsa_${draw('A-Za-z0-9', 32, roll)}_0a1b2c3d`);
const medium = scanner.scanText(`db_password = "${draw('A-Za-z0-9', 30, roll)}"`);

describe('the responsePolicy of a policy', () => {
  it.each([
    [null, 'block', 'block', true],
    [undefined, 'block', 'block', true],
    [{}, 'block', 'mask', true],
    [{ response: 'block', entropy: true }, 'block', 'block', true],
    [{ response: 'block', entropy: false }, 'block', 'mask', false],
    [{ response: 'mask' }, 'mask', 'mask', true],
    [{ response: 'alert', entropy: true }, 'alert', 'alert', true],
  ] as const)('%j', (policy, forHigh, forMedium, entropy) => {
    expect(responsePolicyOf(policy)).toEqual({ high: forHigh, medium: forMedium, entropy, allow: [] });
  });

  it('carries the allowed digests', () => {
    expect(responsePolicyOf({ allow: ['ab'] }).allow).toEqual(['ab']);
  });
});

describe('the response to findings', () => {
  it('is the strictest that one of them calls for', () => {
    const mixed = { high: 'block', medium: 'mask' } as const;
    expect(respond(mixed, [])).toBe('pass');
    expect(respond(mixed, medium)).toBe('mask');
    expect(respond(mixed, [...medium, ...high])).toBe('block');
    expect(respond({ high: 'alert', medium: 'alert' }, high)).toBe('alert');
  });

  it('names the kinds that block, each once', () => {
    const mixed = { high: 'block', medium: 'mask' } as const;
    expect(blockingKinds(mixed, [...high, ...medium, ...high])).toEqual(['access-token', 'infra-key']);
    expect(blockingKinds(responsePolicyOf(null), medium)).toEqual(['entropy']);
  });
});

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
