import { describe, expect, it } from 'vitest';
import { NONE, STRONG, strengthOf, WEAK, wordsOf } from './name.ts';

describe('wordsOf', () => {
  it.each([
    ['clientSecret', ['client', 'secret']],
    ['CLIENT_SECRET_V2', ['client', 'secret', 'v2']],
    ['x-api-key', ['x', 'api', 'key']],
    ['HTTPToken', ['http', 'token']],
    ['$config.dbPassword', ['config', 'db', 'password']],
    ['__', []],
  ])('splits %s', (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });
});

describe('strengthOf', () => {
  it.each([
    'password',
    'DB_PASSWORD',
    'clientSecret',
    'x-api-key',
    'apikey',
    'AWS_SECRET_ACCESS_KEY',
    'tokenSecret',
    'authToken',
    'mysqlRootPasswd',
    'SECRET_KEY_BASE',
    'privateKey',
    'encryption_key',
    'jwt',
    'credentials',
    'API_KEY_PROD',
    'token_v2',
    'passwordValue',
    'sshkey_secret',
    'userpassword',
  ])('is strong: %s', (name) => {
    expect(strengthOf(name)).toBe(STRONG);
  });

  it.each(['key', 'blobKey', 'authThing', 'tokenThing', 'api'])('is weak: %s', (name) => {
    expect(strengthOf(name)).toBe(WEAK);
  });

  it.each([
    'secretName',
    'Sec-WebSocket-Key',
    'authors',
    'Signed-off-author',
    'token_type',
    'passwordField',
    'key_id',
    'tokenCount',
    'apiUrl',
    'password_hash',
    'primary_key',
    'publicKey',
    'sort_key',
    'cacheKey',
    'tokenExpiresAt',
    'secret_path',
    'passwordPolicy',
    'notASecret',
    'fakeToken',
    'example_password',
    'keyboard',
    'username',
    'keys',
  ])('is not indicative: %s', (name) => {
    expect(strengthOf(name)).toBe(NONE);
  });
});
