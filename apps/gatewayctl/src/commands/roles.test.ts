import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

const STANDARD = 'utilisateur-standard';
const RULE = 'One subject cannot hold a role of administration and the role of auditor at the same time.';
const unseen = (name: string) => `Nobody was seen under the name ${name} yet. Check its spelling.\n`;
let at: Commands;
beforeAll(async () => {
  at = await openCommands();
});
afterAll(() => at.close());
const rolesOf = async (subject: string): Promise<string[]> =>
  ((await at.json('roles', subject)) as { role: string }[]).map(({ role }) => role);

describe('grant, roles and revoke-role', () => {
  // roles-14, client-28
  it('give a role with its author, show it, and take it away', async () => {
    expect(await at.ctl('roles')).toMatchObject({ code: 0, out: 'Nobody has a role.\n' });
    expect(await at.ctl('grant', 'alice', STANDARD, 'root')).toMatchObject({
      code: 0,
      out: `alice now has the role User.\n${unseen('alice')}`,
    });
    const shown = await at.ctl('roles', 'alice');
    expect(shown.out).toMatch(
      /SUBJECT +ROLE +PROJECT +GRANTED BY +AT\nalice +User \(utilisateur-standard\) +root +\d{4}-/,
    );
    expect(await at.ctl('revoke-role', 'alice', STANDARD, 'root')).toMatchObject({ code: 0 });
    expect(await rolesOf('alice')).toEqual([]);
  });

  it('take an English alias, and record the identifier', async () => {
    expect((await at.ctl('grant', 'frank', 'auditor', 'root')).out).toBe(
      `frank now has the role Auditor.\n${unseen('frank')}`,
    );
    expect(await rolesOf('frank')).toEqual(['auditeur']);
    const granted = await at.ctl('grant', 'gina', 'project-administrator', 'root', '--project', 'one');
    expect(granted.out).toBe(`gina now has the role Project administrator for the project one.\n${unseen('gina')}`);
    expect((await at.ctl('revoke-role', 'frank', 'auditor', 'root')).code).toBe(0);
    const revoked = await at.ctl('revoke-role', 'gina', 'administrateur-de-projet', 'root', '--project', 'one');
    expect(revoked.code).toBe(0);
  });

  it('leave a role to the group that grants it: revoke-role, export and apply --prune', async () => {
    await at.database.sql.unsafe(`
      with user_of as (
        insert into provisioned_users (id, subject, user_name, active, attributes)
        values (gen_random_uuid(), 'ivy', 'ivy', true, '{}') returning id
      ), made as (
        insert into provisioned_groups (id, display_name) values (gen_random_uuid(), 'Team') returning id
      ), mapping as (
        insert into group_roles (id, group_name, role, author) values (gen_random_uuid(), 'Team', '${STANDARD}', 'root') returning id
      ), member as (
        insert into provisioned_group_members select made.id, user_of.id from made, user_of
      )
      insert into role_assignments (id, subject, role, author, group_role_id)
      select gen_random_uuid(), 'ivy', '${STANDARD}', 'scim:Team', id from mapping`);
    const revoked = await at.ctl('revoke-role', 'ivy', STANDARD, 'root');
    expect([revoked.code, revoked.err]).toEqual([1, expect.stringContaining('from a group (scim:Team)')]);
    expect((await at.ctl('export')).out).not.toContain('ivy');
    const file = join(at.directory, 'no-roles.yaml');
    writeFileSync(file, 'version: 1\nroles: []\n');
    expect((await at.ctl('apply', file, '--prune')).code).toBe(0);
    expect(await rolesOf('ivy')).toEqual([STANDARD]);
    // A person's grant replaces the one of the group, and gives way to it again.
    await at.ctl('grant', 'ivy', STANDARD, 'root');
    const given = await at.ctl('revoke-role', 'ivy', STANDARD, 'root');
    expect(given.out).toContain('ivy keeps the role');
    expect(await rolesOf('ivy')).toEqual([STANDARD]);
  });

  it('show as many as --limit says, and how many there are', async () => {
    for (const name of ['henry-1', 'henry-2', 'henry-3']) await at.ctl('grant', name, STANDARD, 'root');
    const { length } = (await at.json('roles')) as unknown[];
    const shown = await at.ctl('roles', '--limit', '2');
    expect(shown.out.split('\n').slice(3)).toEqual([`2 of ${length} shown. Raise --limit to see more.`, '']);
    expect(await at.json('roles', '--limit', '2')).toHaveLength(2);
    expect((await at.ctl('roles', '--limit', '1000')).out).not.toContain('shown.');
    for (const limit of ['0', '-1', '1.5', 'many']) {
      expect(await at.ctl('roles', `--limit=${limit}`)).toEqual({
        code: 2,
        out: '',
        err: `gatewayctl: --limit takes a whole number from 1 on, not "${limit}".\n`,
      });
    }
    for (const name of ['henry-1', 'henry-2', 'henry-3']) await at.ctl('revoke-role', name, STANDARD, 'root');
  });

  it('may be repeated: granting an assigned role changes nothing, a role that is not assigned cannot be revoked', async () => {
    await at.ctl('grant', 'bob', STANDARD, 'root');
    const again = await at.ctl('grant', 'bob', STANDARD, 'other');
    expect(again).toMatchObject({
      code: 0,
      out: `bob already has the role User; nothing changed.\n${unseen('bob')}`,
    });
    expect(await at.json('roles', 'bob')).toMatchObject([{ author: 'root' }]);
    const absent = await at.ctl('revoke-role', 'bob', 'auditeur', 'root');
    expect(absent).toMatchObject({ code: 1, err: 'gatewayctl: bob does not have the role Auditor.\n' });
  });

  it('keep administration and audit apart, also for grants at the same time (roles-12)', async () => {
    await at.ctl('grant', 'carol', 'auditeur', 'root');
    for (const [role, named, ...project] of [
      ['administrateur-d-instance', 'Administrator'],
      ['administrateur-de-projet', 'Project administrator', '--project', 'one'],
    ] as const) {
      const refused = await at.ctl('grant', 'carol', role, 'root', ...project);
      expect(refused).toEqual({ code: 1, out: '', err: `gatewayctl: carol was not granted ${named}. ${RULE}\n` });
    }
    const race = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        at.ctl('grant', 'dave', index % 2 ? 'auditeur' : 'administrateur-d-instance', 'root'),
      ),
    );
    expect(race.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    expect((await rolesOf('dave')).length).toBe(1);
  });

  it('take a project exactly where the role has one', async () => {
    const missing = await at.ctl('grant', 'erin', 'administrateur-de-projet', 'root');
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('add --project NAME') as string });
    const superfluous = await at.ctl('grant', 'erin', STANDARD, 'root', '--project', 'one');
    expect(superfluous).toMatchObject({ code: 2, err: expect.stringContaining('has no project scope') as string });
    for (const project of ['one', 'two']) {
      expect((await at.ctl('grant', 'erin', 'administrateur-de-projet', 'root', '--project', project)).code).toBe(0);
    }
    await at.ctl('revoke-role', 'erin', 'administrateur-de-projet', 'root', '--project', 'one');
    expect(await at.json('roles', 'erin')).toMatchObject([{ role: 'administrateur-de-projet', project: 'two' }]);
  });

  it('refuse an invalid role, subject or author', async () => {
    for (const role of ['super', 'admin', 'Auditeur', ' ', 'toString']) {
      const ran = await at.ctl('grant', 'frank', role, 'root');
      expect(ran).toMatchObject({
        code: 2,
        err: expect.stringMatching(/There is no role .*The roles are: utilisateur-standard/) as string,
      });
      expect(ran.err.trimEnd()).not.toContain('\n');
    }
    expect((await at.ctl('grant', 'frank', STANDARD)).code).toBe(2);
    expect((await at.ctl('grant', 'a\nb', STANDARD, 'root')).code).toBe(2);
    expect((await at.ctl('grant', '', STANDARD, 'root')).code).toBe(2);
    expect((await at.ctl('grant', 'frank', '', 'root')).code).toBe(2);
    expect((await at.ctl('grant', 'frank', STANDARD, '')).code).toBe(2);
    expect((await at.ctl('grant', 'frank', STANDARD, '  ')).code).toBe(2);
    expect((await at.ctl('grant', ' ', STANDARD, 'root')).code).toBe(2);
    expect(await rolesOf('frank')).toEqual([]);
  });

  it('are recorded with old value, new value and author', async () => {
    await at.ctl('grant', 'grace', STANDARD, 'chief');
    await at.ctl('revoke-role', 'grace', STANDARD, 'deputy');
    const acts = await at.database.sql`
      select component, author, action, old_value::json as before, new_value::json as after
      from administration_actions where target = 'subject:grace' order by sequence`;
    expect(acts).toMatchObject([
      {
        component: 'gatewayctl',
        author: 'chief',
        action: 'role.grant',
        before: null,
        after: { role: STANDARD, author: 'chief' },
      },
      { author: 'deputy', action: 'role.revoke', before: { role: STANDARD, author: 'chief' }, after: null },
    ]);
    expect((await at.ctl('journal', 'verify')).code).toBe(0);
  });
});
