import { createAuthority } from '@gateway/access/development-authority';
import { pairFault } from '@gateway/configuration';
import { describe, expect, it } from 'vitest';

describe('a certificate and its key', () => {
  const authority = createAuthority('authority');
  const { certificate, key } = authority.certify(['127.0.0.1']);

  it('belong together', () => {
    expect(pairFault(certificate, key)).toBeNull();
    expect(pairFault(certificate, authority.certify(['127.0.0.1']).key)).toMatch(/KEY_VALUES_MISMATCH/);
  });

  it.each([
    ['', ''],
    [certificate, '\n'],
    [' ', key],
    // refusals-25
  ])('are a fault where one is empty', (cert, secret) => {
    expect(pairFault(cert, secret)).toBe('empty');
  });
});
