import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseDatabaseAddress } from '@gateway/database';
import { createDecisionLog } from '@gateway/database/audit-log/decision-log';
import { aDecision } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

let at: Commands;
let directory: string;
beforeEach(async () => {
  at = await openCommands();
  directory = join(at.directory, 'archives');
  mkdirSync(directory);
  await at.ctl('retention', 'decisions', '12');
});
afterEach(() => at.close());

const signer = createSigner(generateSigningKey());
/** Appends decisions of these instants, each group in one batch, which one signature covers. */
async function appendBatches(...batches: readonly (readonly string[])[]): Promise<void> {
  const log = createDecisionLog({ address: parseDatabaseAddress(at.database.gatewayUrl), signer, budgetMs: 60_000 });
  for (const batch of batches) await Promise.all(batch.map((instant) => log.append(aDecision({ at: instant }))));
  log.close();
  const [seals] = await at.database.sql`select count(*)::int as n from authorization_decision_seals`;
  expect(seals).toEqual({ n: batches.length });
}
const archive = () => at.ctl('archive', '--directory', directory);
const files = () => readdirSync(directory).filter((name) => name.endsWith('.jsonl'));
const left = async () =>
  (await at.database.sql`select sequence::int as sequence from authorization_decisions order by 1`).map(
    ({ sequence }) => sequence,
  );

const OLD_YEAR = '2024-12-31T23:59:59.999Z';
const NEW_YEAR = '2025-01-01T00:00:00.001Z';
const FEBRUARY = '2025-02-02T12:00:00.000Z';
const NOW = new Date().toISOString();

describe('decisions that were signed together across the end of a month', () => {
  it('go with the later month, and the months after it are moved too', async () => {
    await appendBatches([OLD_YEAR], [OLD_YEAR, NEW_YEAR], [FEBRUARY], [NOW]);
    expect((await archive()).code).toBe(0);
    expect(files()).toEqual(['decisions-2024-12-1.jsonl', 'decisions-2025-01-1.jsonl', 'decisions-2025-02-1.jsonl']);
    expect(await left()).toEqual([5]);
    const verified = await at.ctl('journal', 'verify', '--archive', ...files().map((name) => join(directory, name)));
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('intact, 5 entries') });
  });

  it('are moved where they are the oldest of the log', async () => {
    await appendBatches([OLD_YEAR, NEW_YEAR], [FEBRUARY], [NOW]);
    await archive();
    expect(await left()).toEqual([4]);
  });

  it('stay until the later month is past its retention', async () => {
    await appendBatches([OLD_YEAR], [OLD_YEAR, NOW], [NOW]);
    await archive();
    expect(await left()).toEqual([2, 3, 4]);
    expect((await archive()).out).toBe('No entry is past its retention (gatewayctl retention).\n');
  });
});

it('a refusal that was written late does not take a later decision with it before its time', async () => {
  const thisMonth = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1)).toISOString();
  await at.ctl('retention', 'decisions', '1');
  const monthBefore = new Date(Date.parse(thisMonth) - 1).toISOString().slice(0, 7);
  const first = `${monthBefore}-01T00:00:00.000Z`;
  // The first decision that stays has a later instant than the one that was written after it.
  await appendBatches([OLD_YEAR], [thisMonth], [first], [NOW]);
  await archive();
  expect(await left()).toEqual([2, 3, 4]);
});
