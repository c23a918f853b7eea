import {
  type ActionFilter,
  type DecisionFilter,
  type DetectionFilter,
  listAdministrationActions,
  listDecisions,
  listDetections,
} from '@gateway/database/audit-log/lists';
import type { Page } from '@gateway/database/client/pages';
import {
  administering,
  createTestDatabase,
  type Declare,
  declaring,
  type TestDatabase,
} from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPolicyAttempts } from './policy/console.ts';

let database: TestDatabase;
let declare: Declare;
const WHOLE = { limit: null, after: null };
beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
  await declare.account('Ada.Lovelace');
  await declare.account('ada%b');
  await declare.grant('grace', 'administrateur-de-projet', 'Apollo');
  await declare.endpoint('Chat-Large', await declare.model(await declare.provider('p'), 'm'));
  await database.sql`insert into project_members (project, subject, added_by) values ('Apollo', 'x', 'x')`;
});
afterAll(() => database.drop());

let sequence = 0;
async function decide(change: Partial<Record<'subject' | 'resource' | 'reason' | 'outcome' | 'session', string>>) {
  sequence += 1;
  const id = uuid();
  const row = { subject: 'nobody', resource: 'other', reason: 'role', outcome: 'granted', session: null, ...change };
  const digest = Buffer.alloc(32);
  await database.sql`
    insert into authorization_decisions (sequence, id, at, component, subject, credential, permission, resource, session, outcome, reason,
      status, roles, previous, digest)
    values (${sequence}, ${id}, now(), 'gateway', ${row.subject}, 'key', 'p', ${row.resource}, ${row.session}, ${row.outcome},
      ${row.reason}, 200, '{}', ${digest}, ${digest})`;
  return id;
}
const NO_DECISION: DecisionFilter = {
  sequence: null,
  subject: null,
  subjectPart: null,
  resourcePart: null,
  outcome: null,
  permission: null,
  reason: null,
  resource: null,
  session: null,
  component: null,
  requestId: null,
  from: null,
  until: null,
};
const decisions = async (filter: Partial<DecisionFilter>) =>
  (await listDecisions(database.sql, { ...NO_DECISION, ...filter }, WHOLE)).map(({ id }) => id);

describe('a search in the decision log', () => {
  it('finds a subject by a part of a known name, and any other by its whole name', async () => {
    const known = await decide({ subject: 'Ada.Lovelace' });
    const pattern = await decide({ subject: 'ada%b' });
    const holder = await decide({ subject: 'grace' });
    const deleted = await decide({ subject: 'ada-deleted' });
    expect(await decisions({ subjectPart: 'ADA' })).toEqual([pattern, known]);
    expect(await decisions({ subjectPart: '%' })).toEqual([pattern]);
    expect(await decisions({ subjectPart: 'rac' })).toEqual([holder]);
    expect(await decisions({ subjectPart: 'ada-del' })).toEqual([]);
    expect(await decisions({ subjectPart: 'ada-deleted' })).toEqual([deleted]);
  });

  it('finds a resource by a part of a known endpoint, project or the instance, and any other as a whole', async () => {
    const endpoint = await decide({ resource: 'endpoint:Chat-Large' });
    const project = await decide({ resource: 'project:Apollo' });
    const instance = await decide({ resource: 'instance' });
    const gone = await decide({ resource: 'endpoint:gone' });
    expect(await decisions({ resourcePart: 'chat' })).toEqual([endpoint]);
    expect(await decisions({ resourcePart: 'ENDPOINT:chat-l' })).toEqual([endpoint]);
    expect(await decisions({ resourcePart: 'apol' })).toEqual([project]);
    expect(await decisions({ resourcePart: 'INST' })).toEqual([instance]);
    expect(await decisions({ resourcePart: 'gone' })).toEqual([]);
    expect(await decisions({ resourcePart: 'endpoint:gone' })).toEqual([gone]);
  });

  it('finds every reason, of approvals and of refusals', async () => {
    const granted = await decide({ reason: 'role', session: 'reasons' });
    const refused = await decide({ reason: 'cap-reached', outcome: 'refused', session: 'reasons' });
    expect(await decisions({ reason: 'role', session: 'reasons' })).toEqual([granted]);
    expect(await decisions({ reason: 'cap-reached', session: 'reasons' })).toEqual([refused]);
    expect(await decisions({ reason: 'cap-reached', outcome: 'granted' })).toEqual([]);
  });
});

const NO_ACTION: ActionFilter = {
  sequence: null,
  author: null,
  action: null,
  target: null,
  component: null,
  authorPart: null,
  actionPart: null,
  targetPart: null,
  from: null,
  until: null,
};

describe('a search in the administration log', () => {
  it('finds parts of author, act and target in any case, and no sign is a pattern', async () => {
    const administer = administering(database.sql);
    for (const [author, target] of [
      ['Olga 100%', 'account:Ada'],
      ['olga', 'account:b_b'],
    ] as const) {
      await administer(async ({ record }) => {
        record({ action: 'provider.test', target, before: null, after: { id: target } });
      }, author);
    }
    const found = async (filter: Partial<ActionFilter>) =>
      (await listAdministrationActions(database.sql, { ...NO_ACTION, ...filter }, WHOLE)).map(({ target }) => target);
    expect(await found({ authorPart: 'OLGA' })).toEqual(['account:b_b', 'account:Ada']);
    expect(await found({ authorPart: '%' })).toEqual(['account:Ada']);
    expect(await found({ targetPart: '_' })).toEqual(['account:b_b']);
    expect(await found({ actionPart: 'TEST', targetPart: 'ada' })).toEqual(['account:Ada']);
    expect(await found({ actionPart: 'grant' })).toEqual([]);
    expect(await found({ author: 'OLGA' })).toEqual([]);
  });
});

const NO_DETECTION: DetectionFilter = {
  id: null,
  kind: null,
  kindPart: null,
  place: null,
  response: null,
  decision: null,
  from: null,
  until: null,
};

describe('a search for detected secrets', () => {
  const AT = '2026-01-01T00:00:00.000Z';
  const detect = async (decision: string, kind: string, at = AT) => {
    const id = uuid();
    await database.sql`
      insert into secret_detections (id, at, decision_id, place, kind, rule, confidence, response, start_offset, end_offset, length,
        digest, occurrences)
      values (${id}, ${at}, ${decision}, 'request', ${kind}, 'r', 'high', 'block', ${2n ** 40n}, ${2n ** 40n + 5n}, 5, ${Buffer.alloc(32)}, 1)`;
    return id;
  };
  const list = (filter: Partial<DetectionFilter>, page: Page<readonly [string, string]> = WHOLE) =>
    listDetections(database.sql, { ...NO_DETECTION, ...filter }, page);

  it('shows whose traffic it was, or nobody where the decision is not recorded or was archived', async () => {
    const decision = await decide({ subject: 'ada%b', resource: 'endpoint:Chat-Large' });
    const known = await detect(decision, 'access-token');
    const unknown = await detect(uuid(), 'access-token');
    expect([...(await list({ id: known }))]).toMatchObject([
      { subject: 'ada%b', resource: 'endpoint:Chat-Large', start: 2 ** 40, end: 2 ** 40 + 5, digest: '00'.repeat(32) },
    ]);
    expect([...(await list({ id: unknown }))]).toMatchObject([{ subject: null, resource: null }]);
    expect((await list({ decision })).map(({ id }) => id)).toEqual([known]);
  });

  it('has pages without a gap where many were found at the same instant', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) ids.push(await detect(uuid(), 'same-instant'));
    const seen: string[] = [];
    for (let after: readonly [string, string] | null = null; ; ) {
      const rows = await list({ kindPart: 'SAME-' }, { limit: 3, after });
      seen.push(...rows.slice(0, 3).map(({ id }) => id));
      const last = rows[2];
      if (rows.length <= 3 || last === undefined) break;
      after = [last.at.toISOString(), last.id];
    }
    expect(seen).toEqual(ids.toReversed());
  });

  it('has the period from its beginning to before its end', async () => {
    const [first, second] = [
      await detect(uuid(), 'period', '2026-05-01T00:00:00.000Z'),
      await detect(uuid(), 'period', '2026-05-02T00:00:00.000Z'),
    ];
    const ids = async (from: string | null, until: string | null) =>
      (await list({ kind: 'period', from, until })).map(({ id }) => id);
    expect(await ids('2026-05-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z')).toEqual([first]);
    expect(await ids('2026-05-01T02:00:00+02:00', null)).toEqual([second, first]);
  });
});

it('attempts to install a policy are found by kind, author and outcome, the newest first', async () => {
  for (const [n, kind, author, outcome] of [
    [1, 'authorization', 'ada', 'installed'],
    [2, 'authorization', 'bob', 'refused'],
    [3, 'organization', 'ada', 'refused'],
    [4, 'authorization', 'ada', 'refused'],
  ] as const) {
    await database.sql`
      insert into policy_attempts (id, at, kind, author, outcome, document)
      values (${uuid()}, ${new Date(Date.UTC(2026, 0, n))}, ${kind}, ${author}, ${outcome}, ${String(n)})`;
  }
  const found = async (author: string | null, outcome: string | null, after: readonly [string, string] | null = null) =>
    (await listPolicyAttempts(database.sql, { kind: 'authorization', author, outcome }, { limit: null, after })).map(
      ({ document }) => document,
    );
  expect(await found(null, null)).toEqual(['4', '2', '1']);
  expect(await found('ada', null)).toEqual(['4', '1']);
  expect(await found('ada', 'refused')).toEqual(['4']);
  expect(await found(null, null, ['2026-01-02T00:00:00.000Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])).toEqual([
    '2',
    '1',
  ]);
});
