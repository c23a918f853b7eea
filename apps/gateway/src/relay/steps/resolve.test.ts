import type { RelayFacts } from '@gateway/domain/call/facts';
import { describe, expect, it } from 'vitest';
import type { Identified } from '../../auth/identify.ts';
import { resolve } from './resolve.ts';

const BY_KEY: Identified = { identity: { kind: 'key', digest: '00' }, credential: 'key' };
const BY_TOKEN: Identified = { identity: { kind: 'directory', subject: 'alice' }, credential: 'token' };
const ACCOUNT = { id: '1', username: 'caller', origin: 'local', enabled: true } as const;
const KEY = { id: '2', revoked: false, expired: false };
const ENDPOINT: RelayFacts['endpoint'] = {
  name: 'chat',
  active: true,
  modelId: '3',
  modelSlug: 'small',
  provider: { id: '4', slug: 'engine', baseUrl: 'http://127.0.0.1:1', apiKeyEnv: null, apiKeyHeader: null },
  paths: [],
  standby: null,
};
const facts = (more: Partial<RelayFacts> = {}): RelayFacts => ({
  account: { ...ACCOUNT, key: KEY },
  subjectRevoked: false,
  sessionRevokedAt: null,
  endpoint: ENDPOINT,
  roles: [],
  policy: null,
  organizationPolicy: null,
  billing: null,
  ...more,
});
const reported = (identified: Identified, more: Partial<RelayFacts>) => {
  const resolved = resolve(identified, facts(more), 'chat');
  return 'code' in resolved ? resolved.code : `served as ${resolved.subject}`;
};
const registered = (enabled: boolean): Partial<RelayFacts> => ({
  account: { ...ACCOUNT, username: 'alice', origin: 'directory', enabled, key: null },
});

describe('the caller', () => {
  it.each<[string, Identified, Partial<RelayFacts>]>([
    ['served as caller', BY_KEY, {}],
    ['key-unknown', BY_KEY, { account: null }],
    ['key-unknown', BY_KEY, { account: { ...ACCOUNT, key: null } }],
    ['key-revoked', BY_KEY, { account: { ...ACCOUNT, key: { ...KEY, revoked: true } } }],
    ['key-expired', BY_KEY, { account: { ...ACCOUNT, key: { ...KEY, expired: true } } }],
    ['account-disabled', BY_KEY, { account: { ...ACCOUNT, enabled: false, key: KEY } }],
    ['served as alice', BY_TOKEN, { account: null }],
    ['served as alice', BY_TOKEN, registered(true)],
    ['account-disabled', BY_TOKEN, registered(false)],
    ['token-subject-is-local', BY_TOKEN, { account: { ...ACCOUNT, username: 'alice', key: null } }],
  ])('%s', (outcome, identified, more) => {
    expect(reported(identified, more)).toBe(outcome);
  });
});

// refusals-4
it('an earlier cause hides later ones: a revoked subject cannot probe endpoints (refusals-6)', () => {
  const causes: readonly [string, Partial<RelayFacts>][] = [
    ['key-revoked', { account: { ...ACCOUNT, key: { ...KEY, revoked: true } } }],
    ['subject-revoked', { subjectRevoked: true }],
    ['session-revoked', { sessionRevokedAt: new Date(0) }],
    ['endpoint-unknown', { endpoint: null }],
  ];
  for (const [index, [code]] of causes.entries()) {
    const present = Object.assign({}, ...causes.slice(index).map(([, more]) => more)) as Partial<RelayFacts>;
    expect(reported(BY_KEY, present)).toBe(code);
  }
  expect(reported(BY_KEY, { endpoint: { ...ENDPOINT, active: false } })).toBe('endpoint-disabled');
});

it('a revoked session receives the time of its revocation, in the body and in a header (refusals-7)', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  expect(resolve(BY_KEY, facts({ sessionRevokedAt: at }), 'chat')).toMatchObject({
    members: { code: 'agent-session-revoked', revokedAt: '2026-01-02T03:04:05.678Z' },
    headers: { 'x-gateway-session-standing': 'revoked' },
  });
});

it('an endpoint is named as its caller wrote it', () => {
  expect(resolve(BY_KEY, facts({ endpoint: null }), 'Ch%61t')).toMatchObject({ details: { name: 'Ch%61t' } });
});
