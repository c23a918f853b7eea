import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aDecision, type TestDatabase } from '../testing/index.ts';
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

  it('is continued at that end, without a gap, and the missing entries are reported', async () => {
    const foreign: string[] = [];
    const log = open({ onForeignEnd: (sentence) => foreign.push(sentence) });
    for (let entry = 0; entry < 5; entry += 1) await log.append(aDecision());
    await goBackTo(2n);
    expect(await log.append(aDecision())).toEqual({ sequence: 3n });
    await log.append(aDecision());
    expect(foreign).toEqual([expect.stringMatching(/ends at entry 2, without entry 5 .* journal verify --since/)]);
    await expectIntact();
  });

  it('from before this key was published publishes it again, for the verification of its signatures', async () => {
    const log = open();
    await log.append(aDecision());
    await goBackTo(0n);
    await database.sql`alter table signing_keys disable trigger user`;
    await database.sql`delete from signing_keys`;
    expect(await log.append(aDecision())).toEqual({ sequence: 1n });
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
