import type { Page, Sorted } from '@gateway/database/client/pages';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import * as fc from 'fast-check';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentCommand, listAgentCommands } from './console.ts';

let database: TestDatabase;
interface Made {
  readonly id: string;
  readonly subject: string;
  readonly session: string;
  readonly ended: boolean;
  readonly second: number;
}
const BEGIN = Date.UTC(2026, 0, 1);
let made: Made[];
beforeAll(async () => {
  database = await createTestDatabase();
  const command = fc.record({
    subject: fc.constantFrom('ada', 'Ada', 'bob%'),
    session: fc.constantFrom('one', 'ONE-more', 'two_'),
    ended: fc.boolean(),
    // Many begin at the same instant: the id alone parts them.
    second: fc.nat({ max: 5 }),
  });
  made = fc.sample(command, { numRuns: 60, seed: 3 }).map((one) => ({ ...one, id: uuid() }));
  for (const { id, subject, session, ended, second } of made) {
    const at = new Date(BEGIN + second * 1000);
    await database.sql`
      insert into agent_commands (id, subject, session, interpreter, started_at) values (${id}, ${subject}, ${session}, 'sh', ${at})`;
    if (ended) {
      await database.sql`
        insert into agent_command_ends (command_id, ended_at, code, duration_ms, stdout_bytes, stderr_bytes)
        values (${id}, ${at}, ${second}, ${2n ** 40n}, ${2n ** 45n}, 0)`;
    }
  }
});
afterAll(() => database.drop());

const NONE = { id: null, subject: null, session: null, subjectPart: null, sessionPart: null, running: null };
type Filter = Parameters<typeof listAgentCommands>[1];
const list = (filter: Partial<Filter>, page: Page<readonly [string, string]> = { limit: null, after: null }) =>
  listAgentCommands(database.sql, { ...NONE, ...filter }, page);

describe('commands of agents', () => {
  it('read page by page with any filter are what filtering all of them gives, the newest first', async () => {
    const filter = fc.record({
      subject: fc.option(fc.constantFrom('ada', 'bob%', 'nobody')),
      subjectPart: fc.option(fc.constantFrom('AD', '%', 'b')),
      sessionPart: fc.option(fc.constantFrom('one', '_')),
      running: fc.option(fc.boolean()),
    });
    await fc.assert(
      fc.asyncProperty(filter, fc.integer({ min: 1, max: 20 }), async (asked, limit) => {
        const chosen = made
          .filter(
            ({ subject, session, ended }) =>
              (asked.subject === null || subject === asked.subject) &&
              (asked.subjectPart === null || subject.toLowerCase().includes(asked.subjectPart.toLowerCase())) &&
              (asked.sessionPart === null || session.toLowerCase().includes(asked.sessionPart)) &&
              (asked.running === null || ended !== asked.running),
          )
          .toSorted((one, other) => other.second - one.second || (one.id < other.id ? 1 : -1));
        const seen: string[] = [];
        for (let after: readonly [string, string] | null = null; ; ) {
          const rows: readonly AgentCommand[] = await list(asked, { limit, after });
          seen.push(...rows.slice(0, limit).map(({ id }) => id));
          const last: AgentCommand | undefined = rows[limit - 1];
          if (rows.length <= limit || last === undefined) break;
          after = [last.startedAt.toISOString(), last.id];
        }
        expect(seen).toEqual(chosen.map(({ id }) => id));
      }),
      { numRuns: 40 },
    );
  });

  it('have numbers beyond 32 bits, and nothing of an end while they run', async () => {
    const [ended] = await list({ running: false });
    expect(ended).toMatchObject({ durationMs: 2 ** 40, stdoutBytes: 2 ** 45, stderrBytes: 0, signal: null });
    const [running] = await list({ running: true });
    expect(running).toMatchObject({ endedAt: null, code: null, durationMs: null, stdoutBytes: null });
  });

  it('are found by their id, whatever else runs', async () => {
    const [one] = made;
    expect((await list({ id: one?.id ?? '' })).map(({ id }) => id)).toEqual([one?.id]);
    expect(await list({ id: uuid() })).toHaveLength(0);
  });

  it('are sorted by how they ended, those that run first, without losing one between pages', async () => {
    const sorted = (past: Sorted['past']): Page<readonly [string, string]> => ({
      limit: 7,
      after: null,
      sorted: { column: 'end', type: 'text', descending: false, past },
    });
    const seen: AgentCommand[] = [];
    for (let past: Sorted['past'] = null; ; ) {
      const rows = await list({}, sorted(past));
      seen.push(...rows.slice(0, 7));
      const last = rows[6];
      if (rows.length <= 7 || last === undefined) break;
      past = [String(last['sortValue']), String(last['sortTie'])];
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(made.length);
    const ends = seen.map(({ code }) => (code === null ? '' : String(code)));
    expect(ends).toEqual(ends.toSorted());
  });
});
