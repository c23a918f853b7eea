import { expect, it } from 'vitest';
import { isUntrustedAuthority } from './untrusted-authority.ts';

it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
  '%s is fixed by naming an authority',
  (code) => expect(isUntrustedAuthority(code)).toBe(true),
);

it.each(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ECONNRESET', ''])('%s is not', (code) =>
  expect(isUntrustedAuthority(code)).toBe(false),
);
