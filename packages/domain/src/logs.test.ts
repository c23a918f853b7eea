import { randomUUID } from 'node:crypto';
import {
  type ActionFilter,
  type DecisionFilter,
  listAdministrationActions,
  listDecisions,
} from '@gateway/database/audit-log/lists';
import type { Page, Rows } from '@gateway/database/client/pages';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAgentActs } from './session/console.ts';

// Every list, read page by page with any filter and any size of a page, is what filtering all of it gives. The entries are as
// awkward as a log may be: instants that repeat and do not follow the sequence, for a refusal may be appended late.
let database: TestDatabase;
const NAMES = ['ada', 'grace', 'alan'];
const BEGIN = Date.UTC(2026, 0, 1);
interface Made {
  readonly sequence: number;
  readonly id: string;
  readonly at: Date;
  readonly name: string;
  readonly other: string;
  readonly refused: boolean;
}
let made: Made[];
beforeAll(async () => {
  database = await createTestDatabase();
  const entry = fc.record({
    seconds: fc.nat({ max: 20 }),
    name: fc.constantFrom(...NAMES),
    other: fc.constantFrom('one', 'two'),
    refused: fc.boolean(),
  });
  made = fc.sample(entry, { numRuns: 120, seed: 7 }).map(({ seconds, ...rest }, index) => ({
    ...rest,
    sequence: index + 1,
    id: randomUUID(),
    at: new Date(BEGIN + seconds * 1000),
  }));
  const { sql } = database;
  const digest = Buffer.alloc(32);
  for (const { sequence, id, at, name, other, refused } of made) {
    await sql`
      insert into authorization_decisions (sequence, id, at, component, subject, credential, permission, resource, session, outcome,
        reason, status, roles, previous, digest)
      values (${sequence}, ${id}, ${at}, 'gateway', ${name}, 'key', 'inference:appeler', ${other}, ${refused ? 's' : null},
        ${refused ? 'refused' : 'granted'}, ${refused ? 'role-missing' : 'role'}, 200, '{}', ${digest}, ${digest})`;
    await sql`
      insert into administration_actions (sequence, id, at, component, author, action, target, previous, digest)
      values (${sequence}, ${id}, ${at}, 'console', ${name}, 'thing.change', ${other}, ${digest}, ${digest})`;
    await sql`
      insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
      values (${id}, ${other}, ${name}, ${at}, 'read_file', 'path', '/', 'policy', ${refused ? 'refused' : 'succeeded'})`;
  }
});
afterAll(() => database.drop());

const bound = fc.option(
  fc.integer({ min: -1, max: 21 }).map((seconds) => new Date(BEGIN + seconds * 1000).toISOString()),
);
const asked = fc.record({
  name: fc.option(fc.constantFrom(...NAMES, 'nobody')),
  other: fc.option(fc.constantFrom('one', 'two')),
  refused: fc.option(fc.boolean()),
  from: bound,
  until: bound,
  limit: fc.integer({ min: 1, max: 50 }),
});
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

const chosenOf = ({ name, other, refused, from, until }: Asked) =>
  made.filter(
    (one) =>
      (name === null || one.name === name) &&
      (other === null || one.other === other) &&
      (refused === null || one.refused === refused) &&
      (from === null || one.at.toISOString() >= from) &&
      (until === null || one.at.toISOString() < until),
  );
const bySequence = (one: Made, two: Made) => two.sequence - one.sequence;
const byInstant = (one: Made, two: Made) => two.at.getTime() - one.at.getTime() || bySequence(one, two);

/** Follows the pages to the end. */
async function pages<Row extends { readonly id: string }, Key>(
  list: (page: Page<Key>) => Rows<Row>,
  keyOf: (row: Row) => Key,
  limit: number,
): Promise<string[]> {
  const seen: string[] = [];
  for (let after: Key | null = null; ; ) {
    const rows: readonly Row[] = await list({ limit, after });
    seen.push(...rows.slice(0, limit).map(({ id }) => id));
    const last: Row | undefined = rows[limit - 1];
    if (rows.length <= limit || last === undefined) return seen;
    after = keyOf(last);
  }
}
const idsOf = (entries: readonly Made[]) => entries.map(({ id }) => id);

describe('read page by page, for any query', () => {
  it('the decision log is what filtering all of it gives', async () => {
    const nothing: DecisionFilter = {
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
    await fc.assert(
      fc.asyncProperty(asked, async (question) => {
        const { name, other, refused, from, until, limit } = question;
        const outcome = refused === null ? null : refused ? 'refused' : 'granted';
        const filter = { ...nothing, subject: name, resource: other, outcome, from, until } as const;
        const found = await pages(
          (page: Page<readonly [string, number]>) => listDecisions(database.sql, filter, page),
          ({ at, sequence }) => [at.toISOString(), sequence] as const,
          limit,
        );
        const order = from === null && until === null ? bySequence : byInstant;
        expect(found).toEqual(idsOf(chosenOf(question).toSorted(order)));
      }),
      { verbose: true, numRuns: 60 },
    );
  });
  it('the administration log too', async () => {
    const nothing: ActionFilter = {
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
    await fc.assert(
      fc.asyncProperty(asked, async (any) => {
        const question = { ...any, refused: null };
        const { name, other, from, until, limit } = question;
        const found = await pages(
          (page: Page<readonly [string, number]>) =>
            listAdministrationActions(database.sql, { ...nothing, author: name, target: other, from, until }, page),
          ({ at, sequence }) => [at.toISOString(), sequence] as const,
          limit,
        );
        const order = from === null && until === null ? bySequence : byInstant;
        expect(found).toEqual(idsOf(chosenOf(question).toSorted(order)));
      }),
      { verbose: true, numRuns: 60 },
    );
  });
  it('the acts of agents too', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (question) => {
        const { name, other, refused, from, until, limit } = question;
        const outcome = refused === null ? null : refused ? 'refused' : 'succeeded';
        const filter = { id: null, subjectPart: null, session: other, subject: name, tool: null, outcome, from, until };
        const found = await pages(
          (page: Page<readonly [string, string]>) => listAgentActs(database.sql, filter, page),
          ({ at, id }) => [at.toISOString(), id] as const,
          limit,
        );
        const newest = (one: Made, two: Made) => two.at.getTime() - one.at.getTime() || (one.id < two.id ? 1 : -1);
        expect(found).toEqual(idsOf(chosenOf(question).toSorted(newest)));
      }),
      { verbose: true, numRuns: 60 },
    );
  });
  it('one entry is found by its position', async () => {
    const parts = { authorPart: null, actionPart: null, targetPart: null };
    const filter = { author: null, action: null, target: null, component: null, from: null, until: null, ...parts };
    const rows = await listAdministrationActions(database.sql, { ...filter, sequence: 42 }, { limit: 5, after: null });
    expect(rows.map(({ id }) => id)).toEqual([made[41]?.id]);
    expect(
      await listAdministrationActions(database.sql, { ...filter, sequence: 4242 }, { limit: 5, after: null }),
    ).toHaveLength(0);
  });
});
