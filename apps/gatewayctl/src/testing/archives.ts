import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDatabaseAddress } from '@gateway/database';
import { createDecisionLog } from '@gateway/database/audit-log/decision-log';
import { aDecision } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { openCommands } from './commands.ts';

const signer = createSigner(generateSigningKey());
const now = new Date();

/** The middle of the month this many months ago. */
export const monthsAgo = (months: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15));

/** The file of an archive of a month. */
export const nameOf = (log: string, months: number, number = 1): string =>
  `${log}-${monthsAgo(months).toISOString().slice(0, 7)}-${number}.jsonl`;

/** An instance with a directory for archives. */
export async function openArchives() {
  const commands = await openCommands();
  const { database } = commands;
  const ctl = (...args: string[]) => commands.ctl(...args);
  const directory = join(commands.directory, 'archives');
  mkdirSync(directory);
  async function append(months: number, count: number): Promise<void> {
    const log = createDecisionLog({ address: parseDatabaseAddress(database.gatewayUrl), signer, budgetMs: 5000 });
    const instant = monthsAgo(months).toISOString();
    for (let index = 0; index < count; index += 1) await log.append(aDecision({ at: instant }));
    log.close();
  }
  return {
    ...commands,
    directory,
    path: (name: string): string => join(directory, name),
    append,
    /** Twelve decisions of three months, the older two of which are past their retention. */
    async twelveDecisions(): Promise<void> {
      await append(4, 5);
      await append(3, 4);
      await append(1, 3);
      await ctl('retention', 'decisions', '2');
    },
    archive: () => ctl('archive', '--directory', directory),
    verify: (...args: string[]) => ctl('journal', 'verify', ...args),
    /** The sequence numbers of the decisions that are in the database. */
    async sequences(): Promise<number[]> {
      const rows = await database.sql<{ sequence: bigint }[]>`
        select sequence from authorization_decisions order by sequence`;
      return rows.map(({ sequence }) => Number(sequence));
    },
    /** Writes the public keys of the log to a file; returns its path. */
    async keys(): Promise<string> {
      const file = join(directory, '..', 'keys.pem');
      writeFileSync(file, (await ctl('journal', 'keys')).out);
      return file;
    },
  };
}

export type Archives = Awaited<ReturnType<typeof openArchives>>;
