import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { checkAssignment } from './named.ts';

const roll = dice('generic');
const mixed = draw('A-Za-z0-9', 32, roll);
const hex = draw('0-9a-f', 32, roll);

describe('checkAssignment', () => {
  it('takes no mask for a name', () => {
    const value = 'k7Qz9mW2xT4vB8nL1pR6sY3cJ5hF0dG';
    expect(ask(checkAssignment, 'token', `config[token] = ${value}`).verdict).toBe(FOUND);
    expect(ask(checkAssignment, 'token', `a [secret:access-token] = ${value}`).verdict).toBe(NO);
  });

  it.each([
    [`client_secret = "${mixed}"`, 'secret', mixed],
    [`API_TOKEN=${mixed}`, 'token', mixed],
    [`"password": "${mixed.slice(0, 12)}"`, 'passw', mixed.slice(0, 12)],
    [`apiKey: '${hex}'`, 'api', hex],
    [`#define API_KEY "${mixed}"`, 'api', mixed],
    [`#define API_KEY "${hex}"`, 'api', hex],
    [`ENV API_KEY ${hex}`, 'api', hex],
    [`my api key is ${mixed} please`, 'key', mixed],
    [`The database password is ${mixed.slice(0, 16)} and`, 'pass', mixed.slice(0, 16)],
    [`Le mot de passe est ${mixed.slice(0, 16)} .`, 'pass', mixed.slice(0, 16)],
    [`**API key:** \`${mixed}\``, 'key', mixed],
    [`Encryption key: ${hex}`, 'key', hex],
    [`api: ${hex}`, 'api', hex],
    [`{api:"${hex}"}`, 'api', hex],
    [`password:${mixed}`, 'pass', mixed],
    [`apiKey:${hex}`, 'api', hex],
    [`requirepass ${mixed.slice(0, 16)}\n`, 'pass', mixed.slice(0, 16)],
    [`STRIPE_SECRET:          ${mixed}\n`, 'secret', mixed],
    [`crack /masterkey:${hex}`, 'key', hex],
    [`//npm.internal/:_authToken=${mixed}`, 'auth', mixed],
    [`mot de passe : ${mixed.slice(0, 16)}`, 'pass', mixed.slice(0, 16)],
    [`MDP=${mixed.slice(0, 16)}`, 'mdp', mixed.slice(0, 16)],
    [`psk="${mixed.slice(0, 16)}"`, 'psk', mixed.slice(0, 16)],
    [`token = "0x${mixed.slice(0, 22)}"`, 'token', `0x${mixed.slice(0, 22)}`],
    [`{"name":"API_KEY","value":"${mixed}"}`, 'key', mixed],
    [`- name: API_KEY\n  value: ${mixed}\n`, 'key', mixed],
    ['Authorization: 0f8fad5b-d9cb-469f-a165-70867728950e', 'auth', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['Authorization: 0f8fad5b-d9cb-469f-a165-70867728950e.', 'auth', '0f8fad5b-d9cb-469f-a165-70867728950e'],
  ])('finds %s', (text, keyword, value) => {
    expect(ask(checkAssignment, keyword, text)).toMatchObject({ verdict: FOUND, value });
  });

  it('returns how a long value continues', () => {
    const { verdict, view } = ask(checkAssignment, 'secret', `secret = "${mixed.repeat(8)}"`);
    expect([verdict, view.tail?.type]).toEqual([FOUND, 'run']);
  });

  it.each([
    [`commit = "${mixed}"`, 'commit'],
    [`primaryKey = "${mixed}"`, 'key'],
    [`secretName = "${mixed}"`, 'secret'],
    [`public key: ${mixed}`, 'key'],
    [`Primary key = "${mixed}"`, 'key'],
    [`{"name":"commit","value":"${mixed}"}`, 'name'],
    [`public_key = "${mixed}"`, 'key'],
    ['token = process.env.API_TOKEN', 'token'],
    ['password = "correct horse battery staple"', 'passw'],
    ['token = "${MY_SECRET_TOKEN_VALUE}"', 'token'],
    ['secret = "/run/secrets/a9f8b7c6d5e4"', 'secret'],
    ['token = "0f8fad5b-d9cb-469f-a165-70867728950e"', 'token'],
    ['apiKey = "your-api-key-1a2b3c4d5e6f"', 'api'],
    ['token = "123456789012345678901234"', 'token'],
    ['secret = "xxxxxxxxxxxxxxxxxxxxxxxx"', 'secret'],
    [`token = "0x${hex}${hex.slice(0, 8)}"`, 'token'],
    [`image: registry.internal/team/auth:${hex}`, 'auth'],
    [`image: registry.internal/secret:${mixed}`, 'secret'],
    [`docker push api:${hex}`, 'api'],
    [`arn:aws:kms:eu-west-1:123456789012:secret:app/db-${mixed.slice(0, 6)}`, 'secret'],
    [`Sec-WebSocket-Key: ${mixed.slice(0, 22)}==`, 'key'],
  ])('finds nothing in %s', (text, keyword) => {
    expect(ask(checkAssignment, keyword, text).verdict).not.toBe(FOUND);
  });

  it.each([
    ['token = "x9', MORE],
    ['token = "${', NO],
    ['token = "require_constants', NO],
    ['token = "/usr', NO],
    ['tokenCount = "x9', NO],
    ['keyboard layout', NO],
  ])('decides early about %j', (text, verdict) => {
    expect(ask(checkAssignment, text.startsWith('key') ? 'key' : 'token', text, false).verdict).toBe(verdict);
  });
});
