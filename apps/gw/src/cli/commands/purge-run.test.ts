import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordPath } from '../../record/entry.ts';
import { createRecordWriter } from '../../record/writer.ts';
import { withoutPrivileges } from '../../testing/rights.ts';
import { openWorld, type World } from '../../testing/world.ts';

const [FIRST, SECOND] = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002'];

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

/** A record of three entries, one a day from 1 January 2026 at noon. */
async function record(session: string): Promise<string> {
  const path = recordPath(world.home, session);
  let day = 1;
  const now = (): Date => new Date(Date.UTC(2026, 0, day++, 12));
  const writer = createRecordWriter({ path, now, mask: (text) => text });
  await writer.append({ kind: 'session-started', project: world.project });
  await writer.append({ kind: 'prompt', text: 'OLD WORDS' });
  await writer.append({ kind: 'session-ended' });
  return path;
}

describe('gw purge', () => {
  it('removes what is older from every record, and what remains verifies', async () => {
    const path = await record(FIRST);
    await record(SECOND);
    expect(await world.gw(['purge', '--before', '2026-01-03'])).toEqual({
      code: 0,
      out: 'Removed entries written before 2026-01-03T00:00:00.000Z: 4. Records changed: 2.\n',
      err: '',
    });
    expect(readFileSync(path, 'utf8')).not.toContain('OLD WORDS');
    const { code, out } = await world.gw(['replay', FIRST, '--json']);
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ intact: true, brokenAt: null })]);
  });

  it('prints what it removed for programs, and nothing is removed twice', async () => {
    await record(FIRST);
    const purge = async () =>
      JSON.parse((await world.gw(['purge', '--before', '2026-01-02T12:00:00+01:00', '--json'])).out);
    expect(await purge()).toEqual({
      before: '2026-01-02T11:00:00.000Z',
      purged: [{ session: FIRST, removed: 1, kept: 2 }],
    });
    expect(await purge()).toEqual({ before: '2026-01-02T11:00:00.000Z', purged: [] });
  });

  it('has nothing to do where there is no record', async () => {
    expect(await world.gw(['purge', '--before', '2026-01-03'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/: 0\. Records changed: 0\.\n$/),
    });
  });

  it('leaves a broken record as it is, names the entry, purges the others, and exits with 1', async () => {
    const path = await record(FIRST);
    await record(SECOND);
    const text = readFileSync(path, 'utf8').replace('OLD WORDS', 'NEW WORDS');
    writeFileSync(path, text);
    const { code, out, err } = await world.gw(['purge', '--before', '2026-01-03']);
    expect([code, out]).toEqual([1, expect.stringContaining('Records changed: 1.')]);
    expect(err).toMatch(new RegExp(`^gw: The record of session ${FIRST} was not purged: it is broken at entry 2\\.`));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('says why a record cannot be written', async () => {
    const path = await record(FIRST);
    const own = join(world.home, '.gateway');
    for (const folder of [world.root, own]) chmodSync(folder, 0o755);
    chmodSync(join(own, 'record'), 0o555);
    chmodSync(path, 0o644);
    const { code, err } = await withoutPrivileges(() => world.gw(['purge', '--before', '2026-01-03']));
    expect(code).toBe(1);
    chmodSync(join(own, 'record'), 0o755);
    expect(err).toBe(`gw: The record of session ${FIRST} was not purged: you have no right to write there.\n`);
    expect(readFileSync(path, 'utf8')).toContain('OLD WORDS');
  });
});

describe('the date of gw purge', () => {
  it.each([
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
    'yesterday',
    '2026-01-31T25:00:00Z',
    '2026-01-31T09:00',
    '20260131',
    '2025-02-29T00:00:00Z',
  ])('is refused where it is none: %s', async (date) => {
    const { code, err } = await world.gw(['purge', '--before', date]);
    expect([code, err]).toEqual([
      2,
      `gw: --before must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, not "${date}".\n`,
    ]);
  });

  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-31T09:30Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T23:30:00.5-02:00', '2026-02-01T01:30:00.500Z'],
  ])('%s is the instant %s', async (date, instant) => {
    const { out } = await world.gw(['purge', '--before', date, '--json']);
    expect(JSON.parse(out)).toEqual({ before: instant, purged: [] });
  });

  it('must be given', async () => {
    expect((await world.gw(['purge'])).err).toContain('--before is missing.');
  });

  it('is of no use without a home directory', async () => {
    const { code, err } = await world.gw(['purge', '--before', '2026-01-31'], { environment: { homeDirectory: null } });
    expect([code, err]).toEqual([1, 'gw: You have no home directory, so there is no record. Set HOME.\n']);
  });
});
