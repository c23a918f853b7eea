import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands, type Ran } from './testing/commands.ts';

let at: Commands;
beforeAll(async () => {
  at = await openCommands();
});
afterAll(() => at.close());

const STANDARD = 'utilisateur-standard';
const WHY = ['--author', 'chief', '--reason', 'test'];

const codesOf = (all: readonly Ran[]): number[] => all.map(({ code }) => code).toSorted((one, other) => one - other);
const times = <Value>(count: number, make: (nth: number) => Value): Value[] =>
  Array.from({ length: count }, (_, nth) => make(nth));
const actsOn = async (target: string): Promise<string[]> =>
  (
    await at.database.sql<{ action: string }[]>`
      select action from administration_actions where target = ${target} order by sequence`
  ).map(({ action }) => action);

describe('operators at the same time', () => {
  it('create one account of a name, whose key one of them gets', async () => {
    const all = await Promise.all(times(6, () => at.ctl('account', 'create', 'one', '--json')));
    expect(codesOf(all)).toEqual([0, 1, 1, 1, 1, 1]);
    for (const { err, out } of all.filter(({ code }) => code === 1)) {
      expect(out).toBe('');
      expect(err).toMatch(/^gatewayctl: [^\n]*one[^\n]*\n$/);
    }
    expect(await actsOn('account:one')).toEqual(['account.create']);
  });

  it('grant a role once, and revoke it once', async () => {
    const granted = await Promise.all(times(6, (nth) => at.ctl('grant', 'both', STANDARD, `operator-${nth}`)));
    expect(codesOf(granted)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(granted.filter(({ out }) => out.startsWith('both now has the role'))).toHaveLength(1);
    const revoked = await Promise.all(times(6, (nth) => at.ctl('revoke-role', 'both', STANDARD, `operator-${nth}`)));
    expect(codesOf(revoked)).toEqual([0, 1, 1, 1, 1, 1]);
    expect(await actsOn('subject:both')).toEqual(['role.grant', 'role.revoke']);
  });

  it('leave one member where they add and remove the same', async () => {
    await Promise.all(times(4, () => at.ctl('project', 'add', 'north', 'member')));
    expect(await at.json('project', 'members', 'north')).toHaveLength(1);
    const removed = await Promise.all(times(4, () => at.ctl('project', 'remove', 'north', 'member')));
    expect(codesOf(removed)).toEqual([0, 1, 1, 1]);
    expect(await at.json('project', 'members', 'north')).toHaveLength(0);
  });

  it('apply two files one after the other: what remains is one of them, whole', async () => {
    const files = ['a', 'b'].map((name) => {
      const path = join(at.directory, `${name}.yaml`);
      const members = times(20, (nth) => `${name}-${nth}`).join(', ');
      writeFileSync(path, `version: 1\nprojects:\n  - { project: shared, members: [${members}] }\n`);
      return path;
    });
    const all = await Promise.all([...files, ...files].map((path) => at.ctl('apply', path, '--prune')));
    expect(
      all.map(({ code, err }) => (code === 0 ? '' : err)).filter((err) => !/^(?:gatewayctl: [^\n]+\n)?$/.test(err)),
    ).toEqual([]);
    expect(all.some(({ code }) => code === 0)).toBe(true);
    const members = (await at.json('project', 'members', 'shared')) as { subject: string }[];
    expect(members).toHaveLength(20);
    expect(new Set(members.map(({ subject }) => subject.slice(0, 1))).size).toBe(1);
  });

  it('leave one chain of actions that verifies', async () => {
    await Promise.all(
      times(5, (nth) => [
        at.ctl('grant', `subject-${nth}`, STANDARD, 'root'),
        at.ctl('subject', 'revoke', `subject-${nth}`, ...WHY),
        at.ctl('project', 'add', `project-${nth}`, 'somebody'),
        at.ctl('account', 'create', `account-${nth}`),
      ]).flat(),
    );
    expect((await at.ctl('journal', 'verify')).code).toBe(0);
    const [row] = await at.database.sql<{ count: number; last: number }[]>`
      select count(*)::integer as count, max(sequence)::integer as last from administration_actions`;
    expect(row?.count).toBe(row?.last);
  });
});

describe('thousands of rows', () => {
  const COUNT = 3000;
  beforeAll(async () => {
    await at.database.sql`
      insert into role_assignments (id, subject, role, author)
      select gen_random_uuid(), 'many-' || to_char(n, 'FM0000'), ${STANDARD}, 'test' from generate_series(1, ${COUNT}) n`;
  });

  it('are shown up to a limit, and how many there are', async () => {
    const { out, err, code } = await at.ctl('roles', '--limit', '2999');
    const lines = out.trimEnd().split('\n');
    expect([code, err]).toEqual([0, '']);
    expect(lines.at(-1)).toMatch(/^2999 of 30\d\d shown\. Raise --limit to see more\.$/);
  });

  it('are whole with a higher limit, as text and as JSON', async () => {
    const { out } = await at.ctl('roles', '--limit', '10000');
    expect(out.match(/^many-\d{4} /gm)).toHaveLength(COUNT);
    const rows = (await at.json('roles', '--limit', '10000')) as { subject: string }[];
    expect(rows.filter(({ subject }) => subject.startsWith('many-'))).toHaveLength(COUNT);
  });

  it('of one subject are found beside them', async () => {
    expect(await at.json('roles', 'many-2999')).toMatchObject([{ subject: 'many-2999', role: STANDARD }]);
  });
});
