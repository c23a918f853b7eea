import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/address.ts';
import {
  type Administering,
  aDecision,
  administering,
  createTestDatabase,
  type TestDatabase,
  verdictOn,
} from '../testing/index.ts';
import { createDecisionLog } from './decision-log.ts';
import { DECISIONS, readArchiveAnchor, readChain, readChainEnd, readSigningKeys, verifyLog } from './index.ts';
import { finishArchive, readExpiredDecisions, recordArchive, removeDecisions } from './owner.ts';

const signer = createSigner(generateSigningKey());
const SHA256 = 'ab'.repeat(32);
let database: TestDatabase;
let administer: Administering;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
});
afterAll(() => database.drop());

async function append(count: number): Promise<void> {
  const log = createDecisionLog({ address: parseDatabaseAddress(database.gatewayUrl), signer, budgetMs: 60_000 });
  for (let entry = 0; entry < count; entry += 1) await log.append(aDecision());
  log.close();
}
const archiveOf = (file: string) => ({ file, log: 'decisions', entries: 1, sha256: SHA256 }) as const;
/** Marks the entries up to one as archived, and removes them where that is wanted. */
async function archive(upTo: bigint, { removed = true, file = `up-to-${upTo}.jsonl` } = {}): Promise<void> {
  const span = await readExpiredDecisions(database.sql, new Date('2999-01-01'), upTo);
  if (span === null) throw new Error('each entry was appended alone, so that all are signed');
  await administer((act) => recordArchive(act, archiveOf(file), span));
  if (!removed) return;
  await removeDecisions(database.sql, span.after + 1n, span.last);
  await finishArchive(database.sql, archiveOf(file));
}
const entriesUpTo = async (upTo: bigint) => {
  const entries = [];
  for await (const entry of readChain(database.sql, DECISIONS, upTo)) entries.push(entry);
  return entries;
};
const verdict = () => verdictOn(database.sql, DECISIONS);

beforeEach(async () => {
  await database.sql`
    truncate authorization_decisions, authorization_decision_seals, administration_actions, administration_action_seals, log_archives`;
  await append(6);
});

describe('a decision log whose oldest entries were archived', () => {
  it('is whole before they are removed, between, and after', async () => {
    await archive(3n, { removed: false });
    expect(await verdict()).toMatchObject({ ok: true, lastSequence: 6n });
    await removeDecisions(database.sql, 1n, 2n); // the removal was interrupted
    expect(await verdict()).toMatchObject({ ok: true, lastSequence: 6n });
    await removeDecisions(database.sql, 1n, 3n);
    await finishArchive(database.sql, archiveOf('up-to-3.jsonl'));
    expect(await verdict()).toMatchObject({ ok: true, entries: 3n, lastSequence: 6n });
  });

  it('continues at the last of several archives', async () => {
    await archive(2n);
    await archive(4n);
    expect(await readArchiveAnchor(database.sql)).toMatchObject({
      file: 'up-to-4.jsonl',
      sha256: SHA256,
      sequence: 4n,
      removed: true,
    });
    await append(2);
    expect(await verdict()).toMatchObject({ ok: true, entries: 4n, lastSequence: 8n });
  });

  it('is whole with the entries of its archives before it', async () => {
    const kept = await entriesUpTo(3n);
    await archive(3n);
    const keys = await readSigningKeys(database.sql);
    const archived = {
      entries: async function* () {
        yield* kept;
      },
      behind: { sequence: 0n, digest: '0'.repeat(64) },
    };
    const end = await readChainEnd(database.sql, DECISIONS);
    expect(await verifyLog(database.sql, DECISIONS, end, { keys, archived })).toMatchObject({
      ok: true,
      entries: 6n,
      lastSequence: 6n,
    });
  });
});

describe('an attack on the beginning of an archived log', () => {
  const tamper = async (statement: string) => {
    await archive(3n);
    await database.sql.unsafe(statement);
    return verdict();
  };

  it.each([
    [
      'claims an archive that the administration log does not know',
      'truncate administration_actions, administration_action_seals',
      { fault: 'archive', sentence: expect.stringContaining('the administration log records no such archive') },
    ],
    [
      'names another file',
      "update log_archives set file = 'another.jsonl'",
      { fault: 'archive', sentence: expect.stringContaining('another.jsonl') },
    ],
    ['names another digest of the file', `update log_archives set sha256 = '${'cd'.repeat(32)}'`, { fault: 'archive' }],
    [
      'changes the digest of the last archived entry',
      "update log_archives set digest = sha256('x')",
      { fault: 'seal' },
    ],
    [
      'changes its signature',
      'update log_archives set seal_signature = set_byte(seal_signature, 0, 255 - get_byte(seal_signature, 0))',
      { fault: 'seal' },
    ],
    ['moves the end of the archive', 'update log_archives set last_sequence = 4', { fault: 'seal', sequence: 4n }],
    [
      'signs it with a key of its own',
      "update log_archives set seal_key_id = 'another'",
      { fault: 'key', sentence: expect.stringContaining('signed by the key another, which is not trusted') },
    ],
    [
      'removes one entry more',
      'delete from authorization_decision_seals where sequence = 4; delete from authorization_decisions where sequence = 4',
      { fault: 'sequence', sequence: 4n },
    ],
    ['forgets the archive', 'delete from log_archives', { fault: 'sequence' }],
  ])('that %s is found', async (_, statement, found) => {
    expect(await tamper(statement)).toMatchObject({ ok: false, ...found });
  });

  it('that puts an entry before the archive back is found', async () => {
    const [kept] =
      await database.sql`select to_jsonb(d)::text as entry from authorization_decisions d where sequence = 2`;
    expect(
      await tamper(
        `insert into authorization_decisions select * from jsonb_populate_record(null::authorization_decisions, '${String(kept?.['entry']).replaceAll("'", "''")}')`,
      ),
    ).toMatchObject({ ok: false });
  });
});

describe('an archive that is made while the log is verified', () => {
  it('is no fault: the verification begins again behind it', async () => {
    const keys = await readSigningKeys(database.sql);
    const end = await readChainEnd(database.sql, DECISIONS);
    let passes = 0;
    const verdictMeanwhile = await verifyLog(database.sql, DECISIONS, end, {
      keys,
      async *through(entries) {
        passes += 1;
        if (passes === 1) await archive(4n);
        yield* entries;
      },
    });
    expect(verdictMeanwhile).toMatchObject({ ok: true, entries: 2n, lastSequence: 6n });
    expect(passes).toBe(2);
  });

  it('hides no fault of the entries behind it', async () => {
    const keys = await readSigningKeys(database.sql);
    const end = await readChainEnd(database.sql, DECISIONS);
    await database.sql`update authorization_decisions set subject = 'forged' where sequence = 6`;
    let passes = 0;
    const found = await verifyLog(database.sql, DECISIONS, end, {
      keys,
      async *through(entries) {
        passes += 1;
        if (passes === 1) await archive(4n);
        yield* entries;
      },
    });
    expect(found).toMatchObject({ ok: false, sequence: 6n });
  });
});
