import { createHash } from 'node:crypto';
import { REFUSAL_CODES } from '@gateway/contract';
import { keyOf } from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import type { Profile } from '../../profile/profile.ts';
import { profile as serverless } from '../../profile/serverless.ts';
import { type Asking, ask } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';

/** One refusal (refusals-2): caller and request, the answer, and the reason in the decision log. */
interface Row {
  readonly when: string;
  readonly who?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  /** What is done as the owner before the call, and undone after it. */
  readonly while?: readonly [before: string, after: string];
  readonly status: number;
  readonly error: string;
  readonly reason: string;
  /** Approved and recorded, then not relayed: a fault and no decision. */
  readonly outcome?: 'granted';
  /** Members besides `error`. */
  readonly members?: Record<string, unknown>;
  readonly standing?: 'revoked';
}

/** In pieces, so that this file contains nothing like a live credential. */
const TOKEN = ['ghp', 'R7mQx2Lk9TfWb4ZsVn6YcJd8HgPa3EuN5t1K'].join('_');
const NO_ROLE = 'Your identity is recognised, but no role you hold carries the right to call this endpoint.';
const SESSION = "This agent session was revoked by your organization's administration.";
const UNDECIDED = 'Authorization decision could not be made, so the request was refused.';
const matching = (text: RegExp): string => expect.stringMatching(text) as string;
const INSTANT = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const policy = (text: string): readonly [string, string] => [
  `insert into authorization_policies (revision, cedar, author) select coalesce(max(revision), 0) + 1, '${text}', 'test' from authorization_policies`,
  `insert into authorization_policies (revision, cedar, author) select max(revision) + 1, '', 'test' from authorization_policies`,
];
const unavailable = (table: string): readonly [string, string] => [
  `alter table ${table} rename to renamed`,
  `alter table renamed rename to ${table}`,
];
const revokedSession = { members: { code: 'agent-session-revoked', revokedAt: INSTANT }, standing: 'revoked' } as const;

const EVERYWHERE: readonly Row[] = [
  {
    when: 'there is no proof',
    who: '',
    status: 401,
    error: 'Missing credentials. Set apiKey in your gateway config.',
    reason: 'credentials-missing',
  },
  {
    when: 'both headers are empty',
    who: '',
    headers: { authorization: '', 'x-api-key': '' },
    status: 401,
    error: 'Missing credentials. Set apiKey in your gateway config.',
    reason: 'credentials-missing',
  },
  { when: 'the key is unknown', who: 'nobody', status: 401, error: 'Unauthorized.', reason: 'key-unknown' },
  { when: 'the key was revoked', who: 'rotated', status: 401, error: 'Unauthorized.', reason: 'key-revoked' },
  {
    when: 'the key expired',
    while: [
      `update account_keys k set expires_at = now() from accounts a where a.id = k.account_id and a.username = 'caller'`,
      'update account_keys set expires_at = null',
    ],
    status: 401,
    error: 'Unauthorized.',
    reason: 'key-expired',
  },
  {
    when: 'the account is disabled',
    who: 'disabled',
    status: 401,
    error: 'Unauthorized.',
    reason: 'account-disabled',
  },
  {
    when: 'a token comes and there is no directory',
    who: '',
    headers: { authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjYWxsZXIifQ.c2ln' },
    status: 401,
    error: 'Unauthorized.',
    reason: 'directory-absent',
  },
  {
    when: 'the subject is revoked',
    who: 'revoked',
    status: 403,
    error: 'Your access to this instance has been revoked. Contact the operator of this deployment.',
    reason: 'subject-revoked',
  },
  {
    when: 'the session is revoked',
    headers: { 'x-gateway-session': 'over' },
    status: 403,
    error: SESSION,
    reason: 'session-revoked',
    ...revokedSession,
  },
  {
    when: 'the session is below a revoked one',
    headers: { 'x-gateway-session': 'below' },
    status: 403,
    error: SESSION,
    reason: 'session-revoked',
    ...revokedSession,
  },
  {
    when: 'the endpoint is disabled',
    path: '/off/x',
    status: 403,
    error: 'Endpoint "off" is disabled.',
    reason: 'endpoint-disabled',
  },
  { when: 'the subject has no role', who: 'roleless', status: 403, error: NO_ROLE, reason: 'role-missing' },
  { when: 'the subject has another role', who: 'auditor', status: 403, error: NO_ROLE, reason: 'role-missing' },
  {
    when: 'a policy forbids',
    while: policy('forbid(principal, action, resource);'),
    status: 403,
    error: NO_ROLE,
    reason: 'policy-forbids',
  },
  {
    when: 'a policy cannot be evaluated',
    while: policy('forbid(principal, action, resource) when { 9223372036854775807 + 1 > 0 };'),
    status: 403,
    error: NO_ROLE,
    reason: 'policy-error',
  },
  {
    when: 'a policy cannot be read',
    while: policy('not a policy'),
    status: 503,
    error: UNDECIDED,
    reason: 'undecided',
  },
  ...['subject_revocations', 'agent_session_revocations', 'role_assignments', 'authorization_policies'].map(
    (table) => ({
      when: `${table} cannot be read`,
      headers: { 'x-gateway-session': 'any' },
      while: unavailable(table),
      status: 503,
      error: UNDECIDED,
      reason: 'undecided',
    }),
  ),
  {
    when: 'a secret is in the request',
    body: { messages: [{ role: 'user', content: `use ${TOKEN}` }] },
    status: 403,
    error: matching(/^The request carries what looks like a secret \(.+\), so it was not relayed\.$/),
    reason: 'secret-detected',
    members: { code: 'secret-detected', kinds: expect.any(Array) as unknown, where: ['/messages/0/content'] },
  },
  {
    when: 'the approval cannot be recorded',
    while: unavailable('authorization_decisions'),
    status: 503,
    error: 'Authorization decision could not be recorded, so the request was refused.',
    reason: 'unrecorded',
  },
  {
    when: 'the variable of the key is absent',
    path: '/keyless/x',
    status: 500,
    error: 'Missing env variable: ABSENT_ENGINE_KEY',
    reason: 'role',
    outcome: 'granted',
  },
  {
    when: 'the provider cannot be reached',
    path: '/unreachable/x',
    status: 502,
    error: matching(/^The provider could not be reached: .*HTTPS_PROXY/),
    reason: 'role',
    outcome: 'granted',
  },
];

const HOSTED: readonly Row[] = [
  {
    when: 'no plan is attached',
    who: 'planless',
    status: 403,
    error: 'No plan assigned. Ask your administrator to assign one.',
    reason: 'plan-missing',
  },
  { when: 'the cap is reached', who: 'spent', status: 402, error: 'Plan limit reached', reason: 'cap-reached' },
  {
    when: 'consumption cannot be read',
    while: unavailable('usage_totals'),
    status: 503,
    error:
      'Usage cannot be metered right now, so the request was refused rather than served unbilled. Nothing was sent upstream.',
    reason: 'metering-unavailable',
  },
];

describe.each<[string, Profile, readonly Row[]]>([
  ['serverless', serverless, HOSTED],
  ['on-premise', onPremise, []],
])('the table of relay refusals, %s', (_, profile, own) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ profile });
    const { declare, database } = world;
    const provider = await declare.provider('other', { baseUrl: world.engine.url });
    await declare.endpoint('off', await declare.model(provider, 'other'), false);
    await world.serve('keyless', { apiKeyEnv: 'ABSENT_ENGINE_KEY' });
    await world.serve('unreachable', { baseUrl: 'http://127.0.0.1:1' });
    await declare.account('disabled', { enabled: false });
    for (const name of ['rotated', 'revoked', 'roleless', 'auditor', 'planless']) await declare.account(name);
    await declare.account('spent', { plan: await declare.plan('nothing', 0) });
    for (const name of ['planless', 'spent']) await declare.grant(name, 'utilisateur-standard');
    await declare.grant('auditor', 'auditeur');
    const digest = createHash('sha256').update(keyOf('rotated')).digest();
    await database.sql`update account_keys set revoked_at = now() where digest = ${digest}`;
    const because = { reason: 'test', author: 'test' };
    await database.sql`insert into subject_revocations ${database.sql({ id: uuid(), subject: 'revoked', ...because })}`;
    await database.sql`insert into agent_session_revocations ${database.sql({ session: 'over', ...because })}`;
    await database.sql`insert into agent_session_lineage (subject, session, parent_session, author)
      values ('caller', 'below', 'over', 'test')`;
  });
  afterAll(() => world.stop());

  // refusals-1, refusals-9
  it.each([...EVERYWHERE, ...own])('$status when $when, recorded as $reason', async (row) => {
    const { sql } = world.database;
    const requestId = uuid();
    const who = row.who ?? 'caller';
    const asking: Asking = {
      ...(who === '' ? {} : { key: keyOf(who) }),
      headers: { ...row.headers, 'x-request-id': requestId },
      ...(row.body === undefined ? {} : { body: row.body }),
    };
    const before = world.engine.received.length;
    if (row.while) await sql.unsafe(row.while[0]);
    const { status, json, headers } = await ask(world.port, row.path ?? '/chat/x', asking);
    if (row.while) await sql.unsafe(row.while[1]);
    expect({ status, json }).toEqual({ status: row.status, json: { error: row.error, ...row.members } });
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['x-gateway-session-standing']).toBe(row.standing);
    expect(world.engine.received).toHaveLength(before);
    expect(['role', ...REFUSAL_CODES]).toContain(row.reason); // the closed list
    await eventually(async () => expect(await world.entries(requestId)).not.toEqual([]));
    const outcome = row.outcome ?? 'refused';
    const entry = { outcome, reason: row.reason, status: outcome === 'granted' ? 200 : row.status };
    expect(await world.entries(requestId)).toEqual([expect.objectContaining(entry)]);
  });

  it('404 when the endpoint is not known, the one answer that leaves no entry', async () => {
    const { status, json } = await ask(world.port, '/nowhere/x', {
      key: world.key,
      headers: { 'x-request-id': 'unknown' },
    });
    const available = ['chat', 'keyless', 'unreachable'];
    expect({ status, json }).toEqual({ status: 404, json: { error: 'Unknown endpoint: nowhere', available } });
    await ask(world.port, '/chat/x', { headers: { 'x-request-id': 'after' } });
    await eventually(async () => expect(await world.entries('after')).toHaveLength(1));
    expect(await world.entries('unknown')).toEqual([]);
  });
});
