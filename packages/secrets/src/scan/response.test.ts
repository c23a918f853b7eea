import { describe, expect, it } from 'vitest';
import { blockingKinds, createScanner, respond, responsePolicyOf } from '../index.ts';
import { dice, draw } from '../testing/specimen.ts';

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
