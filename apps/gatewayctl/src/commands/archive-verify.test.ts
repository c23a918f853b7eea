import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Archives, nameOf, openArchives } from '../testing/archives.ts';

let at: Archives;
beforeEach(async () => {
  at = await openArchives();
});
afterEach(() => at.close());

describe('journal verify behind an archive', () => {
  it.each<[string, string, RegExp]>([
    ['a removed mark of the archive', 'delete from log_archives', /Entry 1 is missing: entry 10 is in its place/],
    ['a missing entry', 'delete from authorization_decisions where sequence = 10', /Entry 10 is missing/],
    [
      'an entry that was put in front',
      `insert into authorization_decisions select 2, gen_random_uuid(), at, component, subject, credential, key_id, permission, resource,
        session, outcome, reason, status, roles, policy_revision, detail, request_id, source_address, previous, digest
       from authorization_decisions where sequence = 10`,
      /Entry 10 is missing: entry 2 is in its place/,
    ],
    [
      'another digest',
      `update log_archives set digest = sha256('x') where last_sequence = 9`,
      /signature over entry 9, the last archived one, is not valid/,
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
    await at.twelveDecisions();
    await at.archive();
    await at.database.sql.unsafe(change);
    expect(await at.verify()).toMatchObject({ code: 1, out: expect.stringMatching(expected) as string });
  });

  it('asks for the archives that an older checkpoint needs', async () => {
    await at.append(4, 5);
    const note = join(at.directory, 'note');
    await at.ctl('journal', 'checkpoint', '--output', note);
    await at.append(3, 4);
    await at.append(1, 3);
    await at.ctl('retention', 'decisions', '3');
    await at.archive();
    expect(await at.verify('--since', note), 'a checkpoint of the last archived entry').toMatchObject({ code: 0 });
    await at.ctl('retention', 'decisions', '2');
    await at.archive();
    expect((await at.verify('--since', note)).err).toMatch(/is at entry 5 .*, which was archived\. Name the archives/);
    const files = [4, 3].map((months) => at.path(nameOf('decisions', months)));
    expect(await at.verify('--since', note, '--archive', ...files)).toMatchObject({ code: 0 });
  });
});

it('archive-verify finds a changed file, a changed manifest, a missing one and a gap between files', async () => {
  await at.twelveDecisions();
  await at.append(1, 1);
  await at.archive();
  const trusted = await at.keys();
  const [first, second] = [at.path(nameOf('decisions', 4)), at.path(nameOf('decisions', 3))];
  const check = (...files: string[]) => at.ctl('archive-verify', ...files, '--public-key', trusted);
  expect((await check(second, first)).err).toMatch(/The chain is not valid: Entry 10 is missing: entry 1 is/);
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
