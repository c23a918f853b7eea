import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDatabaseAddress } from '@gateway/database';
import { createDecisionLog } from '@gateway/database/gateway';
import { aDecision } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

const signer = createSigner(generateSigningKey());
let at: Commands;
let directory: string;
beforeEach(async () => {
  at = await openCommands();
  directory = join(at.directory, 'archives');
  mkdirSync(directory);
});
afterEach(() => at.close());

const now = new Date();
/** The middle of the month this many months ago. */
const monthsAgo = (months: number): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15));
const nameOf = (log: string, months: number, number = 1): string =>
  `${log}-${monthsAgo(months).toISOString().slice(0, 7)}-${number}.jsonl`;
const path = (name: string): string => join(directory, name);

async function append(months: number, count: number): Promise<void> {
  const log = createDecisionLog({ address: parseDatabaseAddress(at.database.gatewayUrl), signer, budgetMs: 5000 });
  const instant = monthsAgo(months).toISOString();
  for (let index = 0; index < count; index += 1) await log.append(aDecision({ at: instant }));
  log.close();
}
const archive = () => at.ctl('archive', '--directory', directory);
const verify = (...words: string[]) => at.ctl('journal', 'verify', ...words);
const sequences = async (): Promise<number[]> => {
  const rows = await at.database.sql<{ sequence: bigint }[]>`
    select sequence from authorization_decisions order by sequence`;
  return rows.map(({ sequence }) => Number(sequence));
};
async function keys(): Promise<string> {
  const file = join(at.directory, 'keys.pem');
  writeFileSync(file, (await at.ctl('journal', 'keys')).out);
  return file;
}
/** Twelve decisions of three months, the older two of which are past their retention. */
async function twelveDecisions(): Promise<void> {
  for (const [months, count] of [
    [4, 5],
    [3, 4],
    [1, 3],
  ] as const)
    await append(months, count);
  await at.ctl('retention', 'decisions', '2');
}

describe('archive', () => {
  it('moves each expired month of decisions to a file, and the chain verifies before, behind and across', async () => {
    await twelveDecisions();
    const ran = await archive();
    expect(ran).toEqual({
      code: 0,
      out:
        `decisions: 5 entries (1 to 5) moved to ${path(nameOf('decisions', 4))}.\n` +
        `decisions: 4 entries (6 to 9) moved to ${path(nameOf('decisions', 3))}.\n`,
      err: '',
    });
    expect(await sequences()).toEqual([10, 11, 12]);
    expect((await verify()).out).toMatch(/^authorization_decisions: intact, 3 entries after entry 9\./);
    const files = [path(nameOf('decisions', 4)), path(nameOf('decisions', 3))];
    expect((await verify('--archive', ...files)).out).toMatch(/^authorization_decisions: intact, 12 entries\.\n/);
    expect((await verify('--archive', files[1] ?? '')).out).toMatch(/intact, 7 entries after entry 5\./);
    const offline = await at.ctlWith(
      { databaseUrl: undefined },
      'archive-verify',
      ...files,
      '--public-key',
      await keys(),
    );
    expect(offline.out).toBe(`${files[0]}: intact, 5 of decisions.\n${files[1]}: intact, 4 of decisions.\n`);
    expect(await verify('--export', ...files, '--public-key', await keys())).toMatchObject({
      code: 0,
      out: 'authorization_decisions: intact, 9 entries.\n',
    });
    expect(await at.json('archive', '--list')).toMatchObject([
      { log: 'decisions', entries: 5, first: 1, last: 5, removed: true },
      { log: 'decisions', entries: 4, first: 6, last: 9, removed: true },
    ]);
    expect((await archive()).out).toBe('No entry is past its retention (gatewayctl retention).\n');
  });

  it('records each file as an act, and removes the signatures with the entries', async () => {
    await twelveDecisions();
    await archive();
    const acts = await at.database.sql`
      select author, target, new_value::jsonb - 'sha256' - 'digest' as value from administration_actions
      where action = 'log.archive' order by sequence`;
    expect(acts[0]).toEqual({
      author: 'tester@machine',
      target: 'log:decisions',
      value: { file: nameOf('decisions', 4), entries: 5, first: 1, last: 5 },
    });
    const [seals] = await at.database.sql`select min(sequence) as first from authorization_decision_seals`;
    expect(seals).toEqual({ first: 10n });
  });

  it('keeps the last entry, after which the log continues', async () => {
    await append(5, 3);
    await at.ctl('retention', 'decisions', '1');
    await archive();
    expect(await sequences()).toEqual([3]);
    await append(0, 2);
    expect(await sequences()).toEqual([3, 4, 5]);
    expect(await verify('--archive', path(nameOf('decisions', 5)))).toMatchObject({ code: 0 });
  });

  it('moves later entries of a month to a second file', async () => {
    await append(5, 3);
    await at.ctl('retention', 'decisions', '1');
    await archive();
    await append(5, 2);
    await archive();
    expect(readdirSync(directory).filter((name) => name.endsWith('.jsonl'))).toEqual([
      nameOf('decisions', 5, 1),
      nameOf('decisions', 5, 2),
    ]);
    expect(await verify('--archive', ...[1, 2].map((number) => path(nameOf('decisions', 5, number))))).toMatchObject({
      code: 0,
    });
  });

  it('moves usage records, and leaves their totals', async () => {
    const { sql } = at.database;
    const row = (months: number) => sql`
      insert into request_logs select gen_random_uuid(), ${monthsAgo(months)}, 'caller', 'chat', 'small', gen_random_uuid(), 7, 1, 1,
        'reported', false from generate_series(1, 2500)`;
    await row(3);
    await row(0);
    await at.ctl('retention', 'usage', '2');
    expect((await archive()).out).toBe(`usage: 2500 entries moved to ${path(nameOf('usage', 3))}.\n`);
    const [left] = await sql`select count(*)::int as rows from request_logs`;
    const [total] = await sql`select sum(input_tokens)::int as tokens from usage_totals`;
    expect([left, total]).toEqual([{ rows: 2500 }, { tokens: 35_000 }]);
    expect(await at.ctl('archive-verify', path(nameOf('usage', 3)), '--public-key', await keys())).toMatchObject({
      code: 0,
    });
    const [line = ''] = readFileSync(path(nameOf('usage', 3)), 'utf8').split('\n');
    expect(JSON.parse(line)).toMatchObject({ subject: 'caller', input_tokens: 7, usage_source: 'reported' });
  });

  it.each([
    [
      'detections',
      `insert into secret_detections (id, at, decision_id, place, kind, rule, confidence, response, start_offset, end_offset, length,
        digest, occurrences)
       select gen_random_uuid(), $1, gen_random_uuid(), 'request', 'token', 'rule', 'high', 'alert', 0, 1, 1, sha256('x'), 1
       from generate_series(1, 3)`,
    ],
    [
      'acts',
      `insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
       select gen_random_uuid(), 's', 'caller', $1, 'edit', 'path', 'a', 'human', 'succeeded' from generate_series(1, 3)`,
    ],
  ])('moves %s, up to what a collector has confirmed', async (log, insert) => {
    const { sql } = at.database;
    for (const months of [4, 0]) await sql.unsafe(insert, [monthsAgo(months)]);
    await at.ctl('retention', log, '1');
    await sql`insert into log_export_positions (destination, source, position) values ('collector', ${log}, 2)`;
    expect((await archive()).out).toBe(`${log}: 2 entries moved to ${path(nameOf(log, 4))}.\n`);
    await sql`delete from log_export_positions`;
    expect((await archive()).out).toBe(`${log}: 1 entry moved to ${path(nameOf(log, 4, 2))}.\n`);
    expect((await archive()).out).toMatch(/^No entry/);
  });

  it('keeps what a collector of the log export has not confirmed', async () => {
    await twelveDecisions();
    await at.database.sql`
      insert into log_export_positions (destination, source, position) values ('collector', 'decisions', 3)`;
    const ran = await archive();
    expect(ran.out).toMatch(/3 entries \(1 to 3\)/);
    expect(ran.err).toBe('decisions: entries were kept that a collector of the log export has not confirmed yet.\n');
    expect((await sequences())[0]).toBe(4);
  });

  it('removes nothing of a log that does not verify, and says where it is wrong', async () => {
    await twelveDecisions();
    await at.database.sql`update authorization_decisions set subject = 'x' where sequence = 2`;
    const ran = await archive();
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/does not verify: Entry 2 was changed.* Nothing was removed from the database/);
    expect(await sequences()).toHaveLength(12);
  });

  it('needs a directory that is there', async () => {
    expect(await at.ctl('archive')).toMatchObject({ code: 2, err: expect.stringMatching(/--directory/) as string });
    const ran = await at.ctl('archive', '--directory', path('absent'));
    expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(/is not a directory/) as string });
  });

  it('runs once at a time', async () => {
    await at.database.sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(727005)`;
      expect((await archive()).err).toBe('gatewayctl: Another gatewayctl archive is running on this database.\n');
    });
  });

  it('does not disturb a gateway that appends or an auditor who verifies', async () => {
    await twelveDecisions();
    const appending = append(0, 40);
    const [moved, ...verified] = await Promise.all([archive(), ...Array.from({ length: 4 }, () => verify())]);
    await appending;
    expect([moved, ...verified, await verify()].map(({ code, out }) => (code === 0 ? 0 : out))).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
    expect((await sequences()).length).toBe(43);
  });
});

describe('an archive that was interrupted', () => {
  /** As if it had ended after a part of the entries was removed. */
  async function interrupted(): Promise<void> {
    await twelveDecisions();
    await at.database.sql`create table kept as select * from authorization_decisions`;
    await archive();
    await at.database.sql`insert into authorization_decisions select * from kept where sequence between 8 and 9`;
    await at.database.sql`update log_archives set removed_at = null where last_sequence = 9`;
  }

  it('is no fault of the log, and is finished by the next', async () => {
    await interrupted();
    expect(await verify()).toMatchObject({ code: 0 });
    expect(await archive()).toMatchObject({ code: 0 });
    expect(await sequences()).toEqual([10, 11, 12]);
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it.each([
    ['is gone', () => renameSync(path(nameOf('decisions', 3)), path('elsewhere')), /cannot be read/],
    ['was changed', () => writeFileSync(path(nameOf('decisions', 3)), 'x'), /is not the file that was archived/],
  ])('removes nothing more where its file %s', async (_, change, expected) => {
    await interrupted();
    change();
    expect(await archive()).toMatchObject({ code: 1, err: expect.stringMatching(expected) as string });
    expect((await sequences())[0]).toBe(8);
  });
});

describe('journal verify behind an archive', () => {
  it.each<[string, string, RegExp]>([
    ['a removed mark of the archive', 'delete from log_archives', /Entry 1 is missing: 10 stands in its place/],
    ['a missing entry', 'delete from authorization_decisions where sequence = 10', /Entry 10 is missing/],
    [
      'an entry that was put in front',
      `insert into authorization_decisions select 2, gen_random_uuid(), at, component, subject, credential, key_id, permission, resource,
        session, outcome, reason, status, roles, policy_revision, detail, request_id, source_address, previous, digest
       from authorization_decisions where sequence = 10`,
      /Entry 10 is missing: 2 stands in its place/,
    ],
    [
      'another digest',
      `update log_archives set digest = sha256('x') where last_sequence = 9`,
      /signature over entry 9, the last archived one, does not hold/,
    ],
    [
      'an archive without its act',
      `update log_archives set sha256 = repeat('0', 64) where last_sequence = 9`,
      /the administration log records no such archive/,
    ],
    [
      'a prefix that was removed as if it had been archived',
      `update log_archives set last_sequence = 10, digest = entry.digest, seal_key_id = seal.key_id, seal_signature = seal.signature
         from authorization_decisions entry join authorization_decision_seals seal using (sequence)
         where entry.sequence = 10 and last_sequence = 9;
       delete from authorization_decisions where sequence = 10`,
      /marked as archived .* records no such archive/,
    ],
  ])('detects %s', async (_, change, expected) => {
    await twelveDecisions();
    await archive();
    await at.database.sql.unsafe(change);
    expect(await verify()).toMatchObject({ code: 1, out: expect.stringMatching(expected) as string });
  });

  it('asks for the archives that an older checkpoint needs', async () => {
    await append(4, 5);
    const note = join(at.directory, 'note');
    await at.ctl('journal', 'checkpoint', '--output', note);
    await append(3, 4);
    await append(1, 3);
    await at.ctl('retention', 'decisions', '3');
    await archive();
    expect(await verify('--since', note), 'a checkpoint of the last archived entry').toMatchObject({ code: 0 });
    await at.ctl('retention', 'decisions', '2');
    await archive();
    expect((await verify('--since', note)).err).toMatch(/is at entry 5 .*, which was archived\. Name the archives/);
    const files = [4, 3].map((months) => path(nameOf('decisions', months)));
    expect(await verify('--since', note, '--archive', ...files)).toMatchObject({ code: 0 });
  });
});

it('archive-verify finds a changed file, a changed manifest, a missing one and a gap between files', async () => {
  await twelveDecisions();
  await append(1, 1);
  await archive();
  const trusted = await keys();
  const [first, second] = [path(nameOf('decisions', 4)), path(nameOf('decisions', 3))];
  const check = (...files: string[]) => at.ctl('archive-verify', ...files, '--public-key', trusted);
  expect((await check(second, first)).err).toMatch(/The chain is not valid: Entry 10 is missing: 1 stands/);
  const content = readFileSync(first, 'utf8');
  writeFileSync(first, content.replace('caller', 'Caller'));
  expect((await check(first)).err).toMatch(/is not the file that its manifest describes/);
  writeFileSync(first, content);
  const manifest = readFileSync(`${first}.manifest`, 'utf8');
  writeFileSync(`${first}.manifest`, manifest.replace('entries 5', 'entries 6'));
  expect((await check(first)).err).toMatch(/its text was changed/);
  rmSync(`${first}.manifest`);
  expect((await check(first)).err).toMatch(/manifest cannot be read \(ENOENT\)/);
});

describe('retention', () => {
  it('shows the retention, sets it with an act, and restores the default', async () => {
    expect((await at.ctl('retention')).out).toMatch(
      /decisions +without end[\s\S]*results +3 whole months +the gateway/,
    );
    expect((await at.ctl('retention', 'usage', '13')).out).toBe('usage: kept 13 whole months.\n');
    expect((await at.ctl('retention', 'usage', '13')).out).toMatch(/nothing changed/);
    expect(await at.json('retention', 'results', '1')).toEqual({ log: 'results', months: 1, changed: true });
    expect((await at.ctl('retention', 'results', 'default')).out).toBe('results: kept 3 whole months.\n');
    const acts = await at.database.sql`
      select target, old_value, new_value from administration_actions where action = 'log.retention' order by sequence`;
    expect(acts).toMatchObject([
      { target: 'log:usage', old_value: null, new_value: '{"months":13}' },
      { target: 'log:results', old_value: null, new_value: '{"months":1}' },
      { target: 'log:results', old_value: '{"months":1}', new_value: null },
    ]);
  });

  it.each([[['nonsense', '1']], [['usage']], [['usage', '0']], [['usage', 'forever']]])('refuses %j', async (words) => {
    expect(await at.ctl('retention', ...words)).toMatchObject({ code: 2 });
  });
});
