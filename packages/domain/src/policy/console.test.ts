import { createTestDatabase, type Declare, declaring, type TestDatabase } from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServed } from '../endpoint/console.ts';
import {
  readHolders,
  readKnownProjects,
  readKnownSubjects,
  readLastDecisions,
  readPolicyEndpoints,
} from './console.ts';

let database: TestDatabase;
let declare: Declare;
beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
});
afterAll(() => database.drop());

describe('what a policy is checked against', () => {
  it('is the last decisions, the newest first, as many as are asked for', async () => {
    const digest = Buffer.alloc(32);
    expect(await readLastDecisions(database.sql, 5)).toHaveLength(0);
    for (const sequence of [1, 2, 3]) {
      await database.sql`
        insert into authorization_decisions (sequence, id, at, component, subject, credential, permission, resource, outcome, reason,
          status, roles, source_address, previous, digest)
        values (${sequence}, ${uuid()}, ${new Date(Date.UTC(2026, 0, 4 - sequence))}, 'gateway', ${`s-${sequence}`}, 'key', 'inference:appeler',
          'endpoint:chat', 'granted', 'role', 200, ${['auditeur']}, '127.0.0.1', ${digest}, ${digest})`;
    }
    const two = await readLastDecisions(database.sql, 2);
    expect(two.map(({ subject }) => subject)).toEqual(['s-3', 's-2']);
    expect(two[0]).toMatchObject({
      roles: ['auditeur'],
      session: null,
      sourceAddress: '127.0.0.1',
      outcome: 'granted',
    });
  });

  it('is every endpoint with its model, provider and standby, the inactive ones too', async () => {
    const model = await declare.model(await declare.provider('engine'), 'small');
    const spare = await declare.model(await declare.provider('cloud'), 'sp"are');
    await declare.endpoint('code', model, false);
    await declare.endpoint('chat', model, true, spare);
    const standby = { model: 'sp"are', provider: 'cloud' };
    expect([...(await readPolicyEndpoints(database.sql))]).toEqual([
      { name: 'chat', active: true, model: 'small', provider: 'engine', standby },
      { name: 'code', active: false, model: 'small', provider: 'engine', standby: null },
    ]);
    expect(await readServed(database.sql, 'chat')).toEqual({ model: 'small', provider: 'engine', standby });
  });
});

describe('the names in a policy', () => {
  it('of subjects are known by an account, a role or a project, and are exact', async () => {
    await declare.account('with-account');
    await declare.grant('with-role', 'utilisateur-standard');
    await database.sql`insert into project_members (project, subject, added_by) values ('apollo', 'with-project', 'x')`;
    const asked = ['with-account', 'with-role', 'with-project', 'WITH-ROLE', 'unknown', "o'neil", '{', ''];
    expect(await readKnownSubjects(database.sql, asked)).toEqual(['with-account', 'with-role', 'with-project']);
    expect(await readKnownSubjects(database.sql, [])).toEqual([]);
  });

  it('of projects are known by a role or a member', async () => {
    await declare.grant('leader', 'administrateur-de-projet', 'gemini');
    expect(await readKnownProjects(database.sql, ['gemini', 'apollo', 'zeus'])).toEqual(['gemini', 'apollo']);
    expect(await readKnownProjects(database.sql, [])).toEqual([]);
  });

  it('by the thousand are looked up in one question', async () => {
    const many = Array.from({ length: 5000 }, (_, n) => `unknown-${n}`);
    expect(await readKnownSubjects(database.sql, [...many, 'with-role'])).toEqual(['with-role']);
  });
});

describe('the holders of a role', () => {
  it('are those that are named first, then others by name, at most so many, with all their roles', async () => {
    for (const name of ['b', 'a', 'c']) await declare.grant(name, 'auditeur');
    await declare.grant('c', 'utilisateur-standard');
    const holders = await readHolders(database.sql, 'auditeur', ['c', 'not-a-holder'], 2);
    expect(holders.map(({ subject }) => subject)).toEqual(['c', 'a']);
    expect(holders[0]?.roles.toSorted()).toEqual(['auditeur', 'utilisateur-standard']);
    expect(await readHolders(database.sql, 'administrateur-d-instance', [], 5)).toHaveLength(0);
  });
});
