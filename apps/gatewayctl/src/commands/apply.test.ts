import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Configuration, FORBID, openConfiguration, WHOLE } from '../testing/configuration.ts';

// A test runs many commands, each with connections of its own.
vi.setConfig({ testTimeout: 120_000 });

let at: Configuration;
beforeEach(async () => {
  at = await openConfiguration();
});
afterEach(() => at.close());

describe('apply', () => {
  // client-30
  it('records each change as the console and the single commands do', async () => {
    await at.ctl('apply', at.file(WHOLE), '--author', 'pipeline');
    const recorded = await at.acts();
    expect(new Set(recorded.map(({ author }) => author))).toEqual(new Set(['pipeline']));
    expect(recorded.map(({ act }) => act)).toEqual([
      'plan.create plan:team',
      'plan.create plan:free',
      'account.create account:alice',
      'account.create account:bob',
      'provider.create provider:local',
      'provider.create provider:cloud',
      'model.create model:qwen3',
      'model.create model:qwen3',
      'endpoint.create endpoint:chat',
      'endpoint.create endpoint:other',
      'organization.create organization:acme',
      'organization-policy.install organization:acme',
      'organization.create organization:quiet',
      'policy.install policy',
      'role.grant subject:alice',
      'role.grant subject:paul',
      'member.add project:north/member:alice',
      'member.add project:north/member:paul',
    ]);
    expect(await at.ctl('journal', 'verify')).toMatchObject({ code: 0 });
  });

  it('changes what differs, says it, and keeps what the file does not list', async () => {
    await at.ctl('apply', at.file(WHOLE));
    const before = (await at.acts()).length;
    const changed = WHOLE.replace('Local engine', 'Engine')
      .replace('model: qwen3, active: false', 'model: qwen3, active: true')
      .replace('monthlyCap: 12.5', 'monthlyCap: 20')
      .replace('enabled: false', 'enabled: true')
      .replace('name: Acme', 'name: Acme AG')
      .replace('  - { provider: cloud, slug: qwen3, name: Qwen 3, inputPrice: 0, outputPrice: 0 }\n', '')
      .replace('  - { subject: alice, role: utilisateur-standard }\n', '');
    const ran = await at.ctl('apply', at.file(changed));
    expect(ran.out.split('\n')).toEqual([
      '~ plan team: monthlyCap 12.5 -> 20',
      '~ account bob: enabled false -> true',
      '~ provider local: name "Local engine" -> "Engine"',
      '~ endpoint other: active false -> true',
      '~ organization acme: name "Acme" -> "Acme AG"',
      'Applied 5 changes.',
      "Not in the file and kept: 2. --prune deletes what the file's sections do not list.",
      '',
    ]);
    expect((await at.acts()).slice(before).map(({ act }) => act)).toEqual([
      'plan.change plan:team',
      'account.change account:bob',
      'provider.change provider:local',
      'endpoint.change endpoint:other',
      'organization.change organization:acme',
    ]);
  });

  it('with --prune deletes what its sections do not list, but no account and no organization', async () => {
    await at.ctl('apply', at.file(WHOLE));
    const ran = await at.ctl(
      'apply',
      at.file(
        'version: 1\nproviders: []\nmodels: []\nendpoints: []\naccounts: []\nroles: []\nprojects: []\norganizations: []\n',
      ),
      '--prune',
    );
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toContain('- endpoint chat');
    expect(ran.out).toContain('- role administrateur-de-projet of paul in north');
    const rest = (await at.json('export')) as Record<string, readonly unknown[]>;
    expect(rest).toMatchObject({ providers: [], models: [], endpoints: [], roles: [], projects: [] });
    expect(rest['accounts']).toHaveLength(2);
    expect(rest['organizations']).toHaveLength(2);
    expect(rest['plans']).toHaveLength(2);
    expect(rest['authorizationPolicy']).toBe(FORBID);
  });

  it('lets a subject change from administration to audit with --prune, and refuses both at once with everything else', async () => {
    const roles = (...names: string[]) =>
      at.file(`version: 1\nroles:\n${names.map((role) => `  - { subject: dora, role: ${role} }\n`).join('')}`);
    expect((await at.ctl('apply', roles('administrateur-d-instance'))).code).toBe(0);
    const both = await at.ctl('apply', roles('administrateur-d-instance', 'utilisateur-standard', 'auditeur'));
    expect(both).toMatchObject({ code: 1, err: expect.stringContaining('role of auditor at the same time') as string });
    expect((await at.json('roles', 'dora')) as unknown[]).toHaveLength(1);
    expect((await at.ctl('apply', roles('auditor'), '--prune')).code).toBe(0);
    expect(await at.json('roles', 'dora')).toMatchObject([{ role: 'auditeur' }]);
  });

  it('names the references to what it would delete, and changes nothing', async () => {
    await at.ctl('apply', at.file(WHOLE));
    const ran = await at.ctl('apply', at.file('version: 1\nauthorizationPolicy: ""\nproviders: []\n'), '--prune');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('something that stays refers to it') as string });
    expect(((await at.json('export')) as { providers: unknown[] }).providers).toHaveLength(2);
    expect(((await at.json('export')) as { authorizationPolicy: string }).authorizationPolicy).toBe(FORBID);
  });

  it('lifts the policy with a blank one, and a restored account has no key until one is issued', async () => {
    await at.ctl('apply', at.file(WHOLE));
    expect(await at.ctl('apply', at.file('version: 1\nauthorizationPolicy: ""\n'))).toMatchObject({ code: 0 });
    expect(await at.json('policy', 'show')).toMatchObject({ policy: { revision: 2, cedar: '' } });
    const [alice] = (await at.json('account', 'list')) as { keys: unknown[] }[];
    expect(alice?.keys).toEqual([]);
    expect(await at.ctl('account', 'rotate-key', 'alice')).toMatchObject({ code: 0 });
  });

  it('--dry-run finds what the database refuses, and leaves nothing behind', async () => {
    const ran = await at.ctl('apply', at.file(WHOLE), '--dry-run');
    expect(ran).toMatchObject({
      code: 0,
      out: expect.stringContaining('Dry run: 17 changes, undone again.') as string,
    });
    expect(await at.acts()).toEqual([]);
    const roles = '  - { subject: d, role: auditeur }\n  - { subject: d, role: administrateur-d-instance }\n';
    expect((await at.ctl('apply', at.file(`version: 1\nroles:\n${roles}`), '--dry-run')).code).toBe(1);
  });

  it('waits for another one, reports it, and then finds nothing to do', async () => {
    let isWaiting: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      isWaiting = resolve;
    });
    const held = at.database.sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(hashtextextended('configuration', 7333))`;
      const second = at.ctl('apply', at.file(WHOLE));
      await expect
        .poll(
          async () => (await at.database.sql`select from pg_locks where locktype = 'advisory' and not granted`).length,
        )
        .toBe(1);
      isWaiting();
      return { second };
    });
    await waiting;
    const ran = await (await held).second;
    expect(ran).toMatchObject({
      code: 0,
      err: 'Another gatewayctl apply is running on this database. Waiting until it ends.\n',
    });
    const both = await Promise.all([at.ctl('apply', at.file(WHOLE)), at.ctl('apply', at.file(WHOLE))]);
    expect(both.map(({ out }) => out)).toEqual(['Nothing to change.\n', 'Nothing to change.\n']);
  });

  it('takes a large file: a thousand roles and members', async () => {
    const subjects = Array.from({ length: 500 }, (_, number) => `user-${number}`);
    const roles = subjects.map((subject) => ({ subject, role: 'utilisateur-standard' }));
    const text = JSON.stringify({ version: 1, roles, projects: [{ project: 'all', members: subjects }] });
    expect(await at.json('apply', at.file(text))).toMatchObject({ applied: true });
    expect(await at.ctl('diff', at.file(text), '--prune')).toMatchObject({ code: 0 });
  });
});
