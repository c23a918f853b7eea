import { expect, it } from 'vitest';
import { isOwnVariable } from './own-variables.ts';

it.each(['DATABASE_URL', 'ADMIN_PASS', 'GATEWAY_LICENSE', 'NODE_OPTIONS', 'PORT', 'HOST', 'HTTPS_PROXY', 'NO_PROXY'])(
  '%s is of the programs, in any case',
  (name) => {
    const capital = `${name.slice(0, 1)}${name.slice(1).toLowerCase()}`;
    expect([name, name.toLowerCase(), capital].map(isOwnVariable)).toEqual([true, true, true]);
  },
);

it.each(['PGPASSWORD', 'ALL_PROXY', 'SSL_CERT_FILE', 'LD_PRELOAD'])('%s belongs to their runtime', (name) => {
  expect(isOwnVariable(name)).toBe(true);
});

it.each([
  'some_engine_key',
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'MY_PORT',
  'PROXY_KEY',
  'PG_VECTOR_KEY',
  'HOSTED_KEY',
  // console-12
])('%s may contain the key of a provider', (name) => {
  expect(isOwnVariable(name)).toBe(false);
});
