import { createSigner, generateSigningKey } from '@gateway/ledger';
import { expect } from 'vitest';
import { parseDatabaseAddress } from '../../client/connect.ts';
import { createTestDatabase, type TestDatabase, verdictOn } from '../../testing/index.ts';
import { createDecisionLog, type DecisionLog, type DecisionLogOptions } from '../decision-log.ts';
import { DECISIONS } from '../index.ts';

export const signer = createSigner(generateSigningKey());

export interface OpenLogs {
  readonly database: TestDatabase;
  readonly open: (more?: Partial<DecisionLogOptions>) => DecisionLog;
  /** The number of decisions in the database. */
  readonly count: () => Promise<number>;
  /** Expects that the chain contains each of these decisions and is whole. */
  readonly expectIntact: () => Promise<void>;
  /** Closes the logs and removes the database. */
  readonly end: () => Promise<void>;
}

/** A database, and decision logs that a test opens in it. */
export async function openLogs(): Promise<OpenLogs> {
  const database = await createTestDatabase();
  const logs: DecisionLog[] = [];
  const count = async (): Promise<number> => {
    const [row] = await database.sql<{ n: number }[]>`select count(*)::int as n from authorization_decisions`;
    return row?.n ?? 0;
  };
  return {
    database,
    open(more = {}) {
      const log = createDecisionLog({
        address: parseDatabaseAddress(database.gatewayUrl),
        signer,
        budgetMs: 5000,
        ...more,
      });
      logs.push(log);
      return log;
    },
    count,
    async expectIntact() {
      const verdict = await verdictOn(database.sql, DECISIONS);
      expect(verdict).toMatchObject({ ok: true, entries: BigInt(await count()) });
    },
    async end() {
      for (const log of logs) log.close();
      await database.drop();
    },
  };
}
