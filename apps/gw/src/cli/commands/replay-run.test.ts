import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordPath } from '../../record/entry.ts';
import { createRecordWriter } from '../../record/writer.ts';
import { openWorld, type World } from '../../testing/world.ts';

const SESSION = '0198c0de-0000-7000-8000-000000000001';
const OTHER = '0198c0de-0000-7000-8000-000000000002';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

/** A record of four entries, a minute and some apart. */
async function record(session: string, project = world.project): Promise<string> {
  const path = recordPath(world.home, session);
  let minutes = 0;
  const now = (): Date => new Date(Date.UTC(2026, 0, 31, 23, 58, 30, 123) + minutes++ * 61_000);
  const writer = createRecordWriter({ path, now, mask: (text) => text });
  await writer.append({ kind: 'session-started', project });
  await writer.append({ kind: 'prompt', text: 'Two\nlines' });
  await writer.append({ kind: 'proposed-action', tool: 'Bash', target: { kind: 'command', value: 'npm test' } });
  await writer.append({ kind: 'session-ended' });
  return path;
}
const change = (path: string, alter: (lines: string[]) => string[]): void => {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, `${alter(lines).join('\n')}\n`);
};

it('prints a timeline with durations, one line an entry', async () => {
  await record(SESSION);
  const { code, out, err } = await world.gw(['replay', SESSION]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe(
    `Session ${SESSION}: 4 entries, intact
2026-01-31 (UTC)
  1  23:58:30.123   1 m 1 s  session-started  project: ${world.project}
  2  23:59:31.123   1 m 1 s  prompt           text: Two\\u000alines
2026-02-01 (UTC)
  3  00:00:32.123   1 m 1 s  proposed-action  tool: Bash, target: npm test
  4  00:01:33.123            session-ended
`,
  );
});

it('takes the latest record of this repository', async () => {
  await record(SESSION);
  await record(OTHER, join(world.root, 'elsewhere'));
  expect((await world.gw(['replay'])).out).toContain(`Session ${SESSION}`);
  rmSync(recordPath(world.home, SESSION));
  const { code, out, err } = await world.gw(['replay']);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/no record of a session in this repository/);
});

it.each([OTHER, '../../../etc/passwd', SESSION.toUpperCase()])('refuses the session %s', async (word) => {
  await record(SESSION);
  const { code, out, err } = await world.gw(['replay', word]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^gw: There is no record of session .* Run gw ls to list sessions\.\n$/);
});

// client-19
it('shows where a chain is broken, in the timeline and beside it', async () => {
  change(await record(SESSION), (lines) => lines.toSpliced(1, 1));
  const { code, out, err } = await world.gw(['replay', SESSION]);
  expect(code).toBe(2);
  expect(out).toMatch(
    /: 3 entries, BROKEN at entry 3\n.*\n.* 1 .*\n {2}-- broken here: Entry 3 is where entry 2 .*\n.*\n.* 3 /,
  );
  expect(err).toMatch(new RegExp(`^gw: The record of session ${SESSION} is broken at entry 3\\. `));
  const json = await world.gw(['replay', SESSION, '--json']);
  expect(json.code).toBe(2);
  expect(JSON.parse(json.out)).toMatchObject({ session: SESSION, intact: false, brokenAt: 3, entries: { length: 3 } });
});

it('prints JSON with the members of the contract', async () => {
  await record(SESSION);
  const value = JSON.parse((await world.gw(['replay', '--json', SESSION])).out) as object;
  expect(Object.keys(value)).toEqual(['session', 'intact', 'entries', 'brokenAt']);
  expect(value).toMatchObject({ intact: true, brokenAt: null, entries: { length: 4 } });
});

it('purges before a date, and lists what was purged with what proves it', async () => {
  await record(SESSION);
  await record(OTHER);
  expect(await world.gw(['purge', '--before', '2026-02-01'])).toEqual({
    code: 0,
    out: 'Removed entries written before 2026-02-01T00:00:00.000Z: 4. Records changed: 2.\n',
    err: '',
  });
  expect((await world.gw(['replay', SESSION])).out).toMatch(/: 3 entries, 2 purged, intact\n/);
  const { out } = await world.gw(['replay', '--purges']);
  expect(out.match(/^Session .*: entries 1 to 2, written from 2026-01-31T23:58:30/gm)).toHaveLength(2);
  expect(out).toMatch(/proved by: entry 5\n/);
  const json = JSON.parse((await world.gw(['replay', SESSION, '--purges', '--json'])).out) as object;
  expect(json).toMatchObject({ purges: [{ session: SESSION, first: 1, last: 2, provedBy: 5, proved: true }] });
  expect(JSON.parse((await world.gw(['purge', '--before', '2026-02-01', '--json'])).out)).toMatchObject({ purged: [] });
});

it('purges nothing from a broken record, but purges the others', async () => {
  change(await record(SESSION), (lines) => lines.toSpliced(1, 1));
  await record(OTHER);
  const { code, out, err } = await world.gw(['purge', '--before', '2026-03-01T10:00:00+01:00']);
  expect([code, out]).toEqual([1, 'Removed entries written before 2026-03-01T09:00:00.000Z: 4. Records changed: 1.\n']);
  expect(err).toContain(`session ${SESSION} was not purged: it is broken at entry 3.`);
});

it.each(['2026-02-30', 'yesterday', '2026-1-1', '31.01.2026', '2026-01-31T10:00'])(
  'refuses --before %s',
  async (date) => {
    const { code, err } = await world.gw(['purge', '--before', date]);
    expect(code).toBe(2);
    expect(err).toMatch(/--before must be a date such as 2026-01-31/);
  },
);

it('has nothing to show where nothing was recorded', async () => {
  expect((await world.gw(['replay', '--purges'])).out).toBe('Nothing was purged.\n');
  expect((await world.gw(['purge', '--before', '2026-01-31'])).code).toBe(0);
  expect((await world.gw(['purge'])).err).toMatch(/--before is missing/);
  mkdirSync(join(world.home, '.gateway', 'record', `${SESSION}.jsonl`), { recursive: true });
  expect((await world.gw(['replay', SESSION])).code).toBe(2);
});
