import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Archives, monthsAgo, nameOf, openArchives } from '../testing/archives.ts';

let at: Archives;
beforeEach(async () => {
  at = await openArchives();
});
afterEach(() => at.close());

describe('archive', () => {
  it('moves each expired month of decisions to a file, and the chain verifies before, behind and across', async () => {
    await at.twelveDecisions();
    const ran = await at.archive();
    expect(ran).toEqual({
      code: 0,
      out:
        `decisions: 5 entries (1 to 5) moved to ${at.path(nameOf('decisions', 4))}.\n` +
        `decisions: 4 entries (6 to 9) moved to ${at.path(nameOf('decisions', 3))}.\n`,
      err: '',
    });
    expect(await at.sequences()).toEqual([10, 11, 12]);
    expect((await at.verify()).out).toMatch(/^authorization_decisions: intact, 3 entries after entry 9\./);
    const files = [at.path(nameOf('decisions', 4)), at.path(nameOf('decisions', 3))];
    expect((await at.verify('--archive', ...files)).out).toMatch(/^authorization_decisions: intact, 12 entries\.\n/);
    expect((await at.verify('--archive', files[1] ?? '')).out).toMatch(/intact, 7 entries after entry 5\./);
    const offline = await at.ctlWith(
      { databaseUrl: undefined },
      'archive-verify',
      ...files,
      '--public-key',
      await at.keys(),
    );
    expect(offline.out).toBe(`${files[0]}: intact, 5 of decisions.\n${files[1]}: intact, 4 of decisions.\n`);
    expect(await at.verify('--export', ...files, '--public-key', await at.keys())).toMatchObject({
      code: 0,
      out: 'authorization_decisions: intact, 9 entries.\n',
    });
    expect(await at.json('archive', '--list')).toMatchObject([
      { log: 'decisions', entries: 5, first: 1, last: 5, removed: true },
      { log: 'decisions', entries: 4, first: 6, last: 9, removed: true },
    ]);
    expect((await at.archive()).out).toBe('No entry is past its retention (gatewayctl retention).\n');
  });

  it('keeps archived entries in the tree, and proves them from their files', async () => {
    await at.twelveDecisions();
    await at.archive();
    const files = [at.path(nameOf('decisions', 4)), at.path(nameOf('decisions', 3))];
    const tree = await at.ctlWith({}, 'journal', 'tree', '--verify');
    expect(tree).toMatchObject({
      code: 0,
      out: expect.stringContaining('authorization_decisions: 12 entries') as string,
    });
    expect(await at.ctlWith({}, 'journal', 'tree', '--verify', '--archive', ...files)).toEqual(tree);
    const proof = at.path('proof.json');
    const prove = ['journal', 'prove', '--entry', '7', '--out', proof];
    expect(await at.ctlWith({}, ...prove)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--archive') as string,
    });
    expect(await at.ctlWith({}, ...prove, '--archive', ...files)).toMatchObject({ code: 0 });
    writeFileSync(at.path('keys'), (await at.ctlWith({}, 'journal', 'keys', '--note')).out);
    expect(await at.ctlWith({}, 'journal', 'check', proof, '--key', at.path('keys'))).toMatchObject({ code: 0 });
    await at.database.sql`delete from log_tiles`;
    expect(await at.ctlWith({}, 'journal', 'checkpoint', '--note')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--rebuild --archive') as string,
    });
    const rebuilt = await at.ctlWith({}, 'journal', 'tree', '--rebuild', '--verify', '--archive', ...files);
    expect(rebuilt).toEqual(tree);
  });

  it('records each file as an act, and removes the signatures with the entries', async () => {
    await at.twelveDecisions();
    await at.archive();
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
    await at.append(5, 3);
    await at.ctl('retention', 'decisions', '1');
    await at.archive();
    expect(await at.sequences()).toEqual([3]);
    await at.append(0, 2);
    expect(await at.sequences()).toEqual([3, 4, 5]);
    expect(await at.verify('--archive', at.path(nameOf('decisions', 5)))).toMatchObject({ code: 0 });
  });

  it('moves later entries of a month to a second file', async () => {
    await at.append(5, 3);
    await at.ctl('retention', 'decisions', '1');
    await at.archive();
    await at.append(5, 2);
    await at.archive();
    expect(readdirSync(at.directory).filter((name) => name.endsWith('.jsonl'))).toEqual([
      nameOf('decisions', 5, 1),
      nameOf('decisions', 5, 2),
    ]);
    expect(
      await at.verify('--archive', ...[1, 2].map((number) => at.path(nameOf('decisions', 5, number)))),
    ).toMatchObject({
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
    expect((await at.archive()).out).toBe(`usage: 2500 entries moved to ${at.path(nameOf('usage', 3))}.\n`);
    const [left] = await sql`select count(*)::int as rows from request_logs`;
    const [total] = await sql`select sum(input_tokens)::int as tokens from usage_totals`;
    expect([left, total]).toEqual([{ rows: 2500 }, { tokens: 35_000 }]);
    expect(await at.ctl('archive-verify', at.path(nameOf('usage', 3)), '--public-key', await at.keys())).toMatchObject({
      code: 0,
    });
    const [line = ''] = readFileSync(at.path(nameOf('usage', 3)), 'utf8').split('\n');
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
    expect((await at.archive()).out).toBe(`${log}: 2 entries moved to ${at.path(nameOf(log, 4))}.\n`);
    await sql`delete from log_export_positions`;
    expect((await at.archive()).out).toBe(`${log}: 1 entry moved to ${at.path(nameOf(log, 4, 2))}.\n`);
    expect((await at.archive()).out).toMatch(/^No entry/);
  });

  it('keeps what a collector of the log export has not confirmed', async () => {
    await at.twelveDecisions();
    await at.database.sql`
      insert into log_export_positions (destination, source, position) values ('collector', 'decisions', 3)`;
    const ran = await at.archive();
    expect(ran.out).toMatch(/3 entries \(1 to 3\)/);
    expect(ran.err).toBe('decisions: entries were kept that a collector of the log export has not confirmed yet.\n');
    expect((await at.sequences())[0]).toBe(4);
  });

  it('removes nothing of a log that does not verify, and says where it is wrong', async () => {
    await at.twelveDecisions();
    await at.database.sql`update authorization_decisions set subject = 'x' where sequence = 2`;
    const ran = await at.archive();
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/does not verify: Entry 2 was changed.* Nothing was removed from the database/);
    expect(await at.sequences()).toHaveLength(12);
  });

  it('needs a directory that is there', async () => {
    expect(await at.ctl('archive')).toMatchObject({ code: 2, err: expect.stringMatching(/--directory/) as string });
    const ran = await at.ctl('archive', '--directory', at.path('absent'));
    expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(/is not a directory/) as string });
  });

  it('runs once at a time', async () => {
    await at.database.sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(727005)`;
      expect((await at.archive()).err).toBe('gatewayctl: Another gatewayctl archive is running on this database.\n');
    });
  });

  it('does not disturb a gateway that appends or an auditor who verifies', async () => {
    await at.twelveDecisions();
    const appending = at.append(0, 40);
    const [moved, ...verified] = await Promise.all([at.archive(), ...Array.from({ length: 4 }, () => at.verify())]);
    await appending;
    expect([moved, ...verified, await at.verify()].map(({ code, out }) => (code === 0 ? 0 : out))).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
    expect((await at.sequences()).length).toBe(43);
  });
});

describe('an archive that was interrupted', () => {
  /** As if it had ended after a part of the entries was removed. */
  async function interrupted(): Promise<void> {
    await at.twelveDecisions();
    await at.database.sql`create table kept as select * from authorization_decisions`;
    await at.archive();
    await at.database.sql`insert into authorization_decisions select * from kept where sequence between 8 and 9`;
    await at.database.sql`update log_archives set removed_at = null where last_sequence = 9`;
  }

  it('is no fault of the log, and is finished by the next', async () => {
    await interrupted();
    expect(await at.verify()).toMatchObject({ code: 0 });
    expect(await at.archive()).toMatchObject({ code: 0 });
    expect(await at.sequences()).toEqual([10, 11, 12]);
    expect(await at.verify()).toMatchObject({ code: 0 });
  });

  it.each([
    ['is gone', () => renameSync(at.path(nameOf('decisions', 3)), at.path('elsewhere')), /cannot be read/],
    ['was changed', () => writeFileSync(at.path(nameOf('decisions', 3)), 'x'), /is not the file that was archived/],
  ])('removes nothing more where its file %s', async (_, change, expected) => {
    await interrupted();
    change();
    expect(await at.archive()).toMatchObject({ code: 1, err: expect.stringMatching(expected) as string });
    expect((await at.sequences())[0]).toBe(8);
  });
});
