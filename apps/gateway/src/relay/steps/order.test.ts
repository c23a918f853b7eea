import { createHash } from 'node:crypto';
import { keyOf } from '@gateway/database/testing';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { ask, raw } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';

const SAYS = {
  missing: 'Missing credentials. Set apiKey in your gateway config.',
  unauthorized: 'Unauthorized.',
  revoked: 'Your access to this instance has been revoked. Contact the operator of this deployment.',
  session: "This agent session was revoked by your organization's administration.",
  role: 'Your identity is recognised, but no role you hold carries the right to call this endpoint.',
  plan: 'No plan assigned. Ask your administrator to assign one.',
  cap: 'Plan limit reached',
};

describe('the caller', () => {
  let world: World;
  const sql = (): World['database']['sql'] => world.database.sql;
  const revoke = (subject: string) =>
    sql()`insert into subject_revocations ${sql()({ id: v7(), subject, reason: 'test', author: 'test' })}`;
  /** Calls and returns the facts of the answer and the log entry. */
  async function verdict(path: string, headers: Record<string, string>, more: Parameters<typeof ask>[2] = {}) {
    const requestId = v7();
    const { status, json } = await ask(world.port, path, {
      ...more,
      headers: { 'x-request-id': requestId, ...headers },
    });
    return { status, error: (json as { error?: string } | undefined)?.error, requestId };
  }
  const entryOf = async (requestId: string) => {
    await eventually(async () => expect(await world.entries(requestId)).not.toEqual([]));
    const entries = await world.entries(requestId);
    expect(entries).toHaveLength(1);
    return entries[0]!;
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  beforeAll(async () => {
    world = await startWorld();
    const { declare } = world;
    const provider = await declare.provider('off', { baseUrl: `${world.engine.url}/base` });
    const model = await declare.model(provider, 'priced', { input: 1, output: 1 });
    await declare.endpoint('off', model, false);
    await declare.endpoint('dear', model);
    await declare.account('revoked');
    await declare.account('roleless');
    await declare.account('planless');
    await declare.grant('planless', 'utilisateur-standard');
    await declare.account('disabled', { enabled: false });
    await declare.account('spent', { plan: await declare.plan('one-euro', 1) });
    await declare.grant('spent', 'utilisateur-standard');
    await revoke('revoked');
    await sql()`insert into agent_session_revocations ${sql()({ session: 'over', reason: 'test', author: 'test' })}`;
    await sql()`insert into agent_session_lineage ${sql()(['caller', 'planless', 'roleless', 'disabled', 'spent', 'revoked'].map((subject) => ({ subject, session: 'below', parent_session: 'over', author: 'test' })))}`;
  });
  afterAll(() => world.stop());

  describe('proofs', () => {
    it.each<[string, Record<string, string>]>([
      ['none', {}],
      ['an empty authorization', { authorization: '' }],
      ['a bearer without a token', { authorization: 'Bearer' }],
      ['a bearer with blanks', { authorization: 'Bearer   ' }],
      ['an empty key', { 'x-api-key': '' }],
      ['both empty', { authorization: '', 'x-api-key': '' }],
      ['another scheme', { authorization: 'Basic Z3drOng=' }],
    ])('%s is answered with a request for one', async (_, headers) => {
      const { status, error, requestId } = await verdict('/chat/x', headers);
      expect({ status, error }).toEqual({ status: 401, error: SAYS.missing });
      expect(await entryOf(requestId)).toMatchObject({
        outcome: 'refused',
        reason: 'credentials-missing',
        status: 401,
        credential: 'none',
        subject: null,
        key_id: null,
        resource: 'endpoint:chat',
        permission: 'inference:appeler',
      });
    });
    it.each([
      ['an unknown key', `gwk_${'0123456789ab'.repeat(4)}`, 'key-unknown'],
      ['SQL', "' OR '1'='1", 'key-unknown'],
      ['a word', 'x', 'key-unknown'],
      ['a key cut short', keyOf('caller').slice(0, -1), 'key-unknown'],
      ['a key in capitals', keyOf('caller').toUpperCase(), 'key-unknown'],
      ['a digest', createHash('sha256').update(keyOf('caller')).digest('hex'), 'key-unknown'],
      ['a token where no directory is', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYWxsZXIifQ.', 'directory-absent'],
      // refusals-5
    ])('%s is refused without a reason', async (_, proof, reason) => {
      const { status, error, requestId } = await verdict('/chat/x', bearer(proof));
      expect({ status, error }).toEqual({ status: 401, error: SAYS.unauthorized });
      const entry = await entryOf(requestId);
      expect(entry).toMatchObject({
        reason,
        subject: null,
        credential: reason === 'directory-absent' ? 'token' : 'key',
      });
      expect(
        JSON.stringify(entry, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ).not.toContain(proof.length > 5 ? proof : '\u0000');
    });
    it('leaves an entry also where the session is named with 8000 characters that no index takes', async () => {
      const session = Array.from({ length: 120 }, (_, index) =>
        createHash('sha256').update(String(index)).digest('hex'),
      ).join('');
      const { status, requestId } = await verdict('/chat/x', {
        ...bearer(`gwk_${'0'.repeat(48)}`),
        'x-gateway-session': session,
      });
      expect(status).toBe(401);
      expect((await entryOf(requestId))['session']).toBe(session.slice(0, 64));
    });

    // roles-4
    it('of a disabled account are refused as a refused proof, and the log says why', async () => {
      const { status, error, requestId } = await verdict('/chat/x', bearer(keyOf('disabled')));
      expect({ status, error }).toEqual({ status: 401, error: SAYS.unauthorized });
      expect(await entryOf(requestId)).toMatchObject({ reason: 'account-disabled', subject: 'disabled' });
    });
    it('are taken from either header, an empty one beside a valid one has no effect', async () => {
      for (const headers of [
        bearer(world.key),
        { authorization: `bearer  ${world.key} ` },
        { 'x-api-key': world.key },
        { ...bearer(world.key), 'x-api-key': '' },
        { authorization: '', 'x-api-key': world.key },
        { authorization: 'Bearer ', 'x-api-key': world.key },
      ]) {
        expect((await verdict('/chat/x', headers)).status).toBe(200);
      }
    });
    // relay-8
    it('that differ: Authorization is used, neither is forwarded', async () => {
      expect((await verdict('/chat/x', { ...bearer(world.key), 'x-api-key': 'wrong' })).status).toBe(200);
      expect(world.engine.received.at(-1)!.headers).not.toHaveProperty('x-api-key');
      expect((await verdict('/chat/x', { ...bearer('wrong'), 'x-api-key': world.key })).status).toBe(401);
    });
  });

  it('checks in the order of the contract (refusals-3)', async () => {
    const cases: readonly [string, Record<string, string>, number, string | undefined, string | null][] = [
      ['/nowhere/x', {}, 401, SAYS.missing, 'credentials-missing'],
      ['/nowhere/x', bearer('wrong'), 401, SAYS.unauthorized, 'key-unknown'],
      ['/nowhere/x', bearer(keyOf('revoked')), 403, SAYS.revoked, 'subject-revoked'],
      ['/off/x', { ...bearer(keyOf('revoked')), 'x-gateway-session': 'over' }, 403, SAYS.revoked, 'subject-revoked'],
      ['/nowhere/x', { ...bearer(world.key), 'x-gateway-session': 'over' }, 403, SAYS.session, 'session-revoked'],
      ['/nowhere/x', bearer(keyOf('roleless')), 404, 'Unknown endpoint: nowhere', null],
      ['/off/x', bearer(keyOf('roleless')), 403, 'Endpoint "off" is disabled.', 'endpoint-disabled'],
      ['/chat/x', bearer(keyOf('roleless')), 403, SAYS.role, 'role-missing'],
      ['/chat/x', bearer(keyOf('planless')), 403, SAYS.plan, 'plan-missing'],
      ['/chat/x', bearer(world.key), 200, undefined, 'role'],
    ];
    const before = world.engine.received.length;
    for (const [path, headers, status, error, reason] of cases) {
      const said = await verdict(path, headers);
      expect({ path, ...said }).toEqual({ path, status, error, requestId: said.requestId });
      if (reason === null) continue;
      expect(await entryOf(said.requestId)).toMatchObject({ reason, status });
    }
    expect(world.engine.received).toHaveLength(before + 1);
    await world.declare.grant('roleless', 'auditeur');
    expect((await verdict('/chat/x', bearer(keyOf('roleless')))).error).toBe(SAYS.role);
  });

  // log-1
  it('records an approval with all data for an auditor', async () => {
    const { requestId } = await verdict('/chat/x', { ...bearer(world.key), 'x-gateway-session': 'agent-1' });
    expect(await entryOf(requestId)).toMatchObject({
      component: 'gateway',
      subject: 'caller',
      credential: 'key',
      permission: 'inference:appeler',
      resource: 'endpoint:chat',
      session: 'agent-1',
      outcome: 'granted',
      reason: 'role',
      status: 200,
      roles: ['utilisateur-standard'],
      policy_revision: null,
      request_id: requestId,
      source_address: '127.0.0.1',
      key_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  // refusals-8
  it('leaves no entry for an unknown endpoint', async () => {
    const { requestId } = await verdict('/nowhere/x', bearer(world.key));
    await entryOf((await verdict('/chat/x', {})).requestId);
    expect(await world.entries(requestId)).toEqual([]);
  });

  it('recognizes a revoked session by its name, in UTF-8 or Latin-1', async () => {
    const session = 's\u00e9ance-1';
    await sql()`insert into agent_session_revocations ${sql()({ session, reason: 'test', author: 'test' })}`;
    for (const [encoding, status] of [
      ['utf8', 403],
      ['latin1', 403],
    ] as const) {
      const head = `GET /chat/x HTTP/1.1\r\nHost: g\r\nConnection: close\r\nAuthorization: Bearer ${world.key}\r\n`;
      const bytes = Buffer.concat([
        Buffer.from(`${head}x-request-id: ${encoding}-`),
        Buffer.from(`\u00e9\r\nx-gateway-session: ${session}\r\n\r\n`, encoding),
      ]);
      expect(await raw(world.port, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*agent-session-revoked`, 's'));
      expect(await entryOf(`${encoding}-\u00e9`)).toMatchObject({ session, reason: 'session-revoked' });
    }
  });

  it('returns the time of a session’s revocation, also for its descendants', async () => {
    for (const session of ['over', 'below']) {
      const { status, json, headers } = await ask(world.port, '/chat/x', {
        key: world.key,
        headers: { 'x-gateway-session': session },
      });
      expect({ status, json, standing: headers['x-gateway-session-standing'] }).toEqual({
        status: 403,
        json: {
          error: SAYS.session,
          code: 'agent-session-revoked',
          revokedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        },
        standing: 'revoked',
      });
    }
    expect((await verdict('/chat/x', { ...bearer(world.key), 'x-gateway-session': 'another' })).status).toBe(200);
  });

  it('refuses at the cap, counts again at the next call', async () => {
    expect((await verdict('/dear/x', bearer(keyOf('spent')))).status).toBe(200); // 11 + 7 tokens at 1 euro
    const { status, error, requestId } = await verdict('/dear/x', bearer(keyOf('spent')));
    expect({ status, error }).toEqual({ status: 402, error: SAYS.cap });
    expect(await entryOf(requestId)).toMatchObject({ reason: 'cap-reached', status: 402 });
    await sql()`update plans set monthly_cap = 100 where slug = 'one-euro'`;
    expect((await verdict('/dear/x', bearer(keyOf('spent')))).status).toBe(200);
  });

  it('applies every change from the next call on, on every gateway', async () => {
    const other = await world.another();
    const ports = [world.port, Number(new URL(other.address).port)];
    const key = await world.account('changing');
    const all = async (status: number): Promise<void> => {
      for (const port of ports) expect((await ask(port, '/chat/x', { key })).status).toBe(status);
    };
    for (let round = 0; round < 5; round += 1) {
      await all(200);
      await revoke('changing');
      await all(403);
      await sql()`update subject_revocations set lifted_at = now(), lifted_by = 'test', lift_reason = 'test'
        where subject = 'changing' and lifted_at is null`;
      await all(200);
      await sql()`update accounts set enabled = false where username = 'changing'`;
      await all(401);
      await sql()`update accounts set enabled = true where username = 'changing'`;
      await sql()`update account_keys set revoked_at = now() where digest = ${createHash('sha256').update(key).digest()}`;
      await all(401);
      await sql()`update account_keys set revoked_at = null`;
      await sql()`delete from role_assignments where subject = 'changing'`;
      await all(403);
      await world.declare.grant('changing', 'utilisateur-standard');
    }
    await other.stop();
  });

  it('keeps one gap-free chain with several gateways writing', async () => {
    const other = await world.another();
    const ports = [world.port, Number(new URL(other.address).port)];
    await Promise.all(Array.from({ length: 60 }, (_, index) => ask(ports[index % 2]!, '/chat/x', { key: world.key })));
    await other.stop();
    const entries = await world.entries();
    expect(entries.map((entry) => entry['sequence'])).toEqual(entries.map((_, index) => BigInt(index + 1)));
    expect(entries.slice(1).map((entry) => entry['previous'])).toEqual(
      entries.slice(0, -1).map((entry) => entry['digest']),
    );
  });

  it('requires no plan in the restricted profile', async () => {
    const restricted = await startWorld({ profile: onPremise });
    await restricted.declare.account('planless');
    await restricted.declare.grant('planless', 'utilisateur-standard');
    expect((await ask(restricted.port, '/chat/x', { key: keyOf('planless') })).status).toBe(200);
    await eventually(async () => expect(await restricted.usage('planless')).toHaveLength(1));
    await restricted.stop();
  });
});
