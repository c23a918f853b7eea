import { createHash } from 'node:crypto';
import { refusal } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import type { Head } from '../http/head.ts';
import { credentialOf, identify } from './identify.ts';
import type { IdentityProviderPort } from './ports.ts';

const KEY = `gwk_${'0123456789abcdef'.repeat(3)}`;
const TOKEN = 'aaa.bbb.ccc';
const digest = createHash('sha256').update(KEY).digest('hex');
const head = (authorization: string, apiKey = '') => ({ authorization, apiKey }) as Head;
const identityProvider = (outcome: Awaited<ReturnType<IdentityProviderPort['verify']>>) => {
  const asked: string[] = [];
  const port: IdentityProviderPort = {
    verify: async (token) => {
      asked.push(token);
      return outcome;
    },
    met: () => {},
  };
  return { asked, port };
};

describe('the proof that counts (relay-8)', () => {
  it.each([
    [`Bearer ${KEY}`, ''],
    [`bEARER ${KEY}`, ''],
    [`Bearer\t${KEY}`, ''],
    [`  Bearer   ${KEY}  `, ''],
    [`Bearer ${KEY}`, 'another'],
    ['', KEY],
    ['', ` ${KEY} `],
    ['Bearer', KEY],
    ['Bearer   ', KEY],
    ['Basic dXNlcjpwYXNz', KEY],
    [`Basic_ ${TOKEN}`, KEY],
    [`Bearer_${TOKEN}`, KEY],
  ])('%j beside %j is the key, which leaves this step as its digest', (authorization, apiKey) => {
    expect(identify(head(authorization, apiKey), null)).toEqual({
      identity: { kind: 'key', digest },
      credential: 'key',
    });
    expect(credentialOf(head(authorization, apiKey))).toBe('key');
  });
  it.each([
    ['', ''],
    ['  ', ' \t'],
    ['Bearer', ''],
    ['Bearer \t ', ''],
    [KEY, ''],
    [`Basic ${KEY}`, ''],
    [`Bearer_${KEY}`, ''],
    [`Digest ${KEY}`, ''],
  ])('%j beside %j is none', (authorization, apiKey) => {
    expect(identify(head(authorization, apiKey), null)).toMatchObject({ code: 'credentials-missing' });
    expect(credentialOf(head(authorization, apiKey))).toBe('none');
  });
});

describe('a token', () => {
  it('is verified by the identity provider', async () => {
    const { asked, port } = identityProvider({ subject: 'alice' });
    expect(await identify(head(`Bearer ${TOKEN}`), port)).toEqual({
      identity: { kind: 'directory', subject: 'alice' },
      credential: 'token',
    });
    expect(asked).toEqual([TOKEN]);
    expect(credentialOf(head(`Bearer ${TOKEN}`))).toBe('token');
  });
  it('that the identity provider refuses is refused with its reason', async () => {
    const refused = refusal('token-expired');
    expect(await identify(head(`Bearer ${TOKEN}`), identityProvider(refused).port)).toBe(refused);
  });
  it('is refused without an identity provider', () => {
    expect(identify(head(`Bearer ${TOKEN}`), null)).toMatchObject({ code: 'directory-absent' });
  });
  it.each([
    [head('', TOKEN)],
    [head('Bearer aaa.bbb')],
    [head('Bearer aaa.bbb.ccc.ddd')],
    [head('Bearer aaa.bbb.ccc.ddd.eee')],
    [head(`Bearer ${KEY}0`)],
  ])('is not %j: an unknown key, which is not sent to the identity provider', (given) => {
    const { asked, port } = identityProvider({ subject: 'alice' });
    expect(identify(given, port)).toMatchObject({ code: 'key-unknown' });
    expect(credentialOf(given)).toBe('key');
    expect(asked).toEqual([]);
  });
});
