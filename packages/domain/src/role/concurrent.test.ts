import type { Role } from '@gateway/contract';
import { type Act, inAct, operate } from '@gateway/database/audit-log/act';
import { allAtOnce, createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { revokeSubject } from '../account/subject-acts.ts';
import { installPolicy } from '../policy/acts.ts';
import { grantRole, revokeRole } from './acts.ts';

const operator = { author: 'an operator', signer: createSigner(generateSigningKey()) };
const GRANT = { subject: 'alice', role: 'auditeur', project: null } as const;
const operated =
  <Result>(work: (act: Act) => Promise<Result>) =>
  () =>
    operate(database.sql, operator, work);
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const acts = (action: string) =>
  database.sql<{ before: { revision?: number } | null; after: { revision?: number } | null }[]>`
    select old_value::json as before, new_value::json as after from administration_actions
    where action = ${action} order by sequence`;

it('revokes a role once, and records it once, for concurrent requests', async () => {
  await operated((act) => grantRole(act, GRANT))();
  const revoke = operated((act) => revokeRole(act, GRANT));
  const outcomes = await allAtOnce(
    database.sql,
    "select from role_assignments where subject = 'alice' for update",
    revoke,
    revoke,
  );
  expect(outcomes.filter((one) => one.status === 'fulfilled' && one.value)).toHaveLength(1);
  expect(await acts('role.revoke')).toHaveLength(1);
});

it('revokes a subject once, also when others do at the same moment', async () => {
  const left = async (act: Act) => (await revokeSubject(act, 'alice', 'left')) !== undefined;
  const revoke = operated(left);
  const recorder = { component: 'console', signer: operator.signer } as const;
  const inConsole = () => database.sql.begin((sql) => inAct(sql, 'an administrator', recorder, left));
  const outcomes = await allAtOnce(database.sql, 'lock table subject_revocations in share mode', revoke, inConsole);
  expect(outcomes.filter((one) => one.status === 'fulfilled' && one.value)).toHaveLength(1);
  expect(await acts('subject.revoke')).toHaveLength(1);
  const rows = await database.sql`select from subject_revocations where subject = 'alice'`;
  expect(rows).toHaveLength(1);
});

it('records with each installed policy the one that it follows', async () => {
  const install = (cedar: string) => operated((act) => installPolicy(act, cedar));
  await allAtOnce(
    database.sql,
    "select pg_advisory_xact_lock(hashtextextended('authorization_policies', 7331))",
    install('// one'),
    install('// another'),
  );
  expect((await acts('policy.install')).map(({ before, after }) => [before?.revision, after?.revision])).toEqual([
    [undefined, 1],
    [1, 2],
  ]);
});

const grantOf = (subject: string, role: Role) => operated((act) => grantRole(act, { subject, role, project: null }));

it('gives a subject administration or audit, never both, when they are granted at the same moment', async () => {
  const outcomes = await allAtOnce(
    database.sql,
    'select pg_advisory_xact_lock(727003)', // the turn of the administration log
    grantOf('alice', 'auditeur'),
    grantOf('alice', 'administrateur-d-instance'),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await acts('role.grant')).toHaveLength(1);
});

// One lock for each subject filled the lock table of the server: 100,000 grants of one transaction were refused.
it('takes one advisory lock for all grants of a transaction', async () => {
  const held = await database.sql.begin(async (transaction) => {
    await transaction`
      insert into role_assignments (id, subject, role, author)
      select gen_random_uuid(), 'subject-' || n, 'utilisateur-standard', 'test' from generate_series(1, 200) n`;
    return transaction`select from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'`;
  });
  expect(held).toHaveLength(1);
});
