import { connect } from 'node:net';
import { keyOf } from '@gateway/database/testing';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';

const BODY = '{"messages":[]}';
const HOUR = 3_600_000;

describe('a body that arrives after its caller was authorized', () => {
  let world: World;
  let ahead = 0;
  beforeAll(async () => {
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
    world = await startWorld();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await world.stop();
  });

  /** Sends a head, and runs an action between the gateway's 100 Continue and the body. */
  const meanwhile = (subject: string, happens: () => Promise<unknown>): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(world.port, '127.0.0.1');
      let got = '';
      socket.setEncoding('latin1').on('error', reject);
      socket.on('close', () => resolve(got));
      socket.on('data', (part: string) => {
        got += part;
        if (got === 'HTTP/1.1 100 Continue\r\n\r\n') happens().then(() => socket.write(BODY), reject);
      });
      socket.write(
        `POST /${subject}/x HTTP/1.1\r\nHost: g\r\nX-Api-Key: ${keyOf(subject)}\r\nX-Request-Id: ${subject}\r\n` +
          `X-Gateway-Session: ${subject}\r\nContent-Length: ${BODY.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
      );
    });

  it.each<[string, number, string, (world: World, subject: string) => Promise<unknown>]>([
    [
      'is revoked',
      403,
      'subject-revoked',
      ({ database: { sql } }, subject) =>
        sql`insert into subject_revocations ${sql({ id: v7(), subject, reason: 'test', author: 'test' })}`,
    ],
    [
      'has its session revoked',
      403,
      'session-revoked',
      ({ database: { sql } }, session) =>
        sql`insert into agent_session_revocations ${sql({ session, reason: 'test', author: 'test' })}`,
    ],
    [
      'is disabled',
      401,
      'account-disabled',
      ({ database: { sql } }, subject) => sql`update accounts set enabled = false where username = ${subject}`,
    ],
    [
      'loses its role',
      403,
      'role-missing',
      ({ database: { sql } }, subject) => sql`delete from role_assignments where subject = ${subject}`,
    ],
    [
      'finds the endpoint disabled',
      403,
      'endpoint-disabled',
      ({ database: { sql } }, name) => sql`update endpoints set active = false where name = ${name}`,
    ],
    [
      'loses its plan',
      403,
      'plan-missing',
      ({ database: { sql } }, subject) => sql`update accounts set plan_id = null where username = ${subject}`,
    ],
  ])('is not relayed where the caller %s meanwhile', async (what, status, reason, happens) => {
    const subject = what.replaceAll(' ', '-');
    await world.account(subject);
    await world.serve(subject);
    const answer = await meanwhile(subject, () => happens(world, subject));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 100 Continue\r\n\r\nHTTP/1\\.1 ${status} `));
    expect(world.engine.received).toEqual([]);
    await eventually(async () => expect(await world.entries(subject)).not.toEqual([]));
    expect(await world.entries(subject)).toMatchObject([{ outcome: 'refused', status, reason }]);
  });

  it('is not relayed where a policy forbids the hour of its arrival', async () => {
    await world.account('evening');
    await world.serve('evening');
    const closing = new Date(Date.now() + HOUR).toISOString();
    const cedar = `forbid(principal, action, resource) when { context.time >= datetime("${closing}") };`;
    await world.database.sql`insert into authorization_policies (revision, cedar, author) values (1, ${cedar}, 'test')`;
    const answer = await meanwhile('evening', async () => {
      ahead = 2 * HOUR;
    });
    ahead = 0;
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 403 /);
    expect(world.engine.received).toEqual([]);
    await eventually(async () =>
      expect(await world.entries('evening')).toMatchObject([{ outcome: 'refused', reason: 'policy-forbids' }]),
    );
    await world.database.sql`insert into authorization_policies (revision, cedar, author) values (2, '', 'test')`;
  });

  it('is relayed where nothing happened', async () => {
    await world.account('served');
    await world.serve('served');
    expect(await meanwhile('served', async () => {})).toMatch(/100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    expect(await world.entries('served')).toMatchObject([{ outcome: 'granted' }]);
  });
});
