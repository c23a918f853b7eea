import { expect, it } from 'vitest';
import { isOwnVariable, isUntrustedAuthority } from './own-variables.ts';

it.each(['DATABASE_URL', 'ADMIN_PASS', 'GATEWAY_LICENSE', 'NODE_OPTIONS', 'PORT', 'HOST', 'HTTPS_PROXY', 'NO_PROXY'])(
  '%s is of the programs, in any case',
  (name) => {
    const capital = `${name.slice(0, 1)}${name.slice(1).toLowerCase()}`;
    expect([name, name.toLowerCase(), capital].map(isOwnVariable)).toEqual([true, true, true]);
  },
);

it.each([
  'AWS_SECRET_ACCESS_KEY',
  'aws_session_token',
  'AZURE_CLIENT_SECRET',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'KUBECONFIG',
])('%s has credentials of a cloud', (name) => {
  expect(isOwnVariable(name)).toBe(true);
});

it.each(['PGPASSWORD', 'ALL_PROXY', 'SSL_CERT_FILE', 'LD_PRELOAD'])('%s belongs to their runtime', (name) => {
  expect(isOwnVariable(name)).toBe(true);
});

it.each([
  'some_engine_key',
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
  'GOOGLE_API_KEY',
  'MY_PORT',
  'PROXY_KEY',
  'PG_VECTOR_KEY',
  'HOSTED_KEY',
  // console-12
])('%s may contain the key of a provider', (name) => {
  expect(isOwnVariable(name)).toBe(false);
});

it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
  '%s is fixed by naming an authority',
  (code) => expect(isUntrustedAuthority(code)).toBe(true),
);

it.each(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ECONNRESET', ''])('%s is not', (code) =>
  expect(isUntrustedAuthority(code)).toBe(false),
);
