import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aDecision, type TestDatabase } from '../testing/index.ts';
import type { SeenEnd } from './earlier-state.ts';
import { type OpenLogs, openLogs } from './testing/open-logs.ts';

let logs: OpenLogs;
let database: TestDatabase;
let open: OpenLogs['open'];
let expectIntact: OpenLogs['expectIntact'];

beforeEach(async () => {
  logs = await openLogs();
  ({ database, open, expectIntact } = logs);
});
afterEach(() => logs.end());

describe('a connection to an earlier state of the log', () => {
  /** A backup was restored, or a standby without the last entries promoted, while the log was open. */
  async function goBackTo(sequence: bigint): Promise<void> {
    for (const table of ['authorization_decisions', 'authorization_decision_seals']) {
      await database.sql`alter table ${database.sql(table)} disable trigger user`;
      await database.sql`delete from ${database.sql(table)} where sequence > ${sequence}`;
    }
    await database.sql`select pg_terminate_backend(pid, 60000) from pg_stat_activity
      where datname = current_database() and usename = 'gateway_service'`;
    for (let turn = 0; turn < 5; turn += 1) await database.sql`select 1`; // time for the log to notice its end
  }

  async function instanceOf(): Promise<string> {
    const [row] = await database.sql<{ instance: string }[]>`select instance from log_instance`;
    return row?.instance ?? '';
  }

  const recorded = async () =>
    (
      await database.sql`select sequence::int, detail from authorization_decisions where reason = 'entries-missing' order by 1`
    ).map(({ sequence, detail }) => [sequence, detail]);

  it('is continued at that end, without a gap, with an entry that records what is missing', async () => {
    const foreign: string[] = [];
    const log = open({ onForeignEnd: (sentence) => foreign.push(sentence) });
    for (let entry = 0; entry < 5; entry += 1) await log.append(aDecision());
    await goBackTo(2n);
    expect(await log.append(aDecision())).toEqual({ sequence: 4n });
    await log.append(aDecision());
    expect(foreign).toEqual([
      expect.stringMatching(/ended at entry 2, without entry 5 .* Entry 3 records it .* journal verify --since/),
    ]);
    expect(await recorded()).toEqual([[3, expect.stringMatching(/^the decision log .* entry 2, without entry 5 /)]]);
    await expectIntact();
  });

  it('is noticed where another process has already written past it', async () => {
    const [log, other] = [open(), open()];
    for (let entry = 0; entry < 3; entry += 1) await log.append(aDecision());
    await goBackTo(1n);
    for (let entry = 0; entry < 4; entry += 1) await other.append(aDecision());
    expect(await log.append(aDecision())).toEqual({ sequence: 7n });
    expect(await recorded()).toEqual([
      [6, expect.stringMatching(/ended at entry 5, with another entry 3 than the one/)],
    ]);
    await expectIntact();
  });

  it('is noticed by the next process, and not in the log of another installation', async () => {
    let kept: SeenEnd | null = null;
    const seenEnd = {
      read: () => kept,
      keep(end: SeenEnd) {
        kept = end;
      },
    };
    const first = open({ seenEnd });
    for (let entry = 0; entry < 3; entry += 1) await first.append(aDecision());
    first.close();
    await goBackTo(1n);
    kept = { ...(kept as unknown as SeenEnd), instance: 'another' };
    expect(await open({ seenEnd: { ...seenEnd, keep: () => {} } }).append(aDecision())).toEqual({ sequence: 2n });
    kept = { sequence: 3n, digest: 'ab'.repeat(32), instance: await instanceOf() };
    expect(await open({ seenEnd }).append(aDecision())).toEqual({ sequence: 4n });
    expect(await recorded()).toEqual([[3, expect.stringContaining('without entry 3 ')]]);
    await expectIntact();
  });

  it('from before this key was published publishes it again, for the verification of its signatures', async () => {
    const log = open();
    await log.append(aDecision());
    await goBackTo(0n);
    await database.sql`alter table signing_keys disable trigger user`;
    await database.sql`delete from signing_keys`;
    expect(await log.append(aDecision())).toEqual({ sequence: 2n });
    await expectIntact();
  });

  it('is no other state where only the connection is new', async () => {
    const foreign: string[] = [];
    const log = open({ onForeignEnd: (sentence) => foreign.push(sentence) });
    for (let entry = 0; entry < 3; entry += 1) await log.append(aDecision());
    await goBackTo(3n);
    expect(await log.append(aDecision())).toEqual({ sequence: 4n });
    expect(foreign).toEqual([]);
    await expectIntact();
  });
});
