import { describe, expect, it } from 'vitest';
import { collectSecrets, credentialsIn } from './known-secrets.ts';

const secretsOf = (variables: Record<string, string>): readonly string[] => [
  ...collectSecrets(new Map(Object.entries(variables))),
];

describe('variables whose value is nobody’s business', () => {
  it.each([
    'GATEWAY_KEY',
    'gateway_api_key',
    'GITHUB_TOKEN',
    'CLIENT_SECRET',
    'PGPASSWORD',
    'SSHPASS',
    'DB_PWD',
    'AWS_CREDENTIALS',
    'NPM_AUTH',
    'SESSION_COOKIE',
    'SENTRY_DSN',
    'GATEWAY_LICENSE',
    'SLACK_WEBHOOK',
  ])('%s', (name) => {
    expect(secretsOf({ [name]: 'value' })).toEqual(['value']);
  });

  it.each(['PWD', 'OLDPWD', 'HOME', 'LANG', 'TERM', 'NO_COLOR'])('%s is none of them', (name) => {
    expect(secretsOf({ [name]: 'value' })).toEqual([]);
  });

  it('contain them in their addresses, under any name', () => {
    expect(secretsOf({ HTTPS_PROXY: 'http://casey:hunter2@proxy:3128', UPSTREAM: 'https://token@host/x' })).toEqual([
      'casey',
      'hunter2',
      'token',
    ]);
  });
});

describe('user info of an address', () => {
  it.each([
    ['http://user:pass@host', ['user', 'pass']],
    ['http://user:pa:ss@host:1/x', ['user', 'pa:ss']],
    ['http://user:p@ss@host', ['user', 'p@ss']],
    ['  https://token@host', ['token']],
    ['http://:pass@host', ['', 'pass']],
    ['socks5h://user:pass@host', ['user', 'pass']],
    ['//user:pass@host', ['user', 'pass']],
    ['user:pass@host:3128', ['user', 'pass']],
    ['http://host/path@x', []],
    ['http://host?q=a:b@c', []],
    ['casey@example.org', []],
    ['plain', []],
    ['', []],
  ])('%s: %j', (address, found) => {
    expect(credentialsIn(address)).toEqual(found);
  });
});
