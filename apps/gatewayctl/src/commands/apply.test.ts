import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { everythingIn } from '@gateway/database/testing';
import { canaries } from '@gateway/secrets/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

const FORBID = '@id("not bob")\nforbid(principal == Subject::"bob", action, resource);\n';
const WHOLE = `version: 1
providers:
  - slug: local
    name: Local engine
    baseUrl: http://127.0.0.1:8080/v1
    clearTextAcknowledged: true
  - { slug: cloud, name: "Cloud: é", baseUrl: https://engines.example, apiKeyEnv: CLOUD_KEY, apiKeyHeader: x-api-key }
models:
  - { provider: local, slug: qwen3, name: Qwen 3, inputPrice: 0, outputPrice: 0.0000025, cachedInputPrice: 1e-7 }
  - { provider: cloud, slug: qwen3, name: Qwen 3, inputPrice: 0, outputPrice: 0 }
endpoints:
  - { name: chat, provider: local, model: qwen3, paths: [/chat/completions] }
  - { name: other, provider: cloud, model: qwen3, active: false }
plans:
  - { slug: team, name: Team, monthlyCap: 12.5 }
  - { slug: free, name: Free, monthlyCap: null }
accounts:
  - { username: alice, plan: team, displayName: Alice, email: alice@example.com }
  - { username: bob, enabled: false }
roles:
  - { subject: alice, role: utilisateur-standard }
  - { subject: paul, role: administrateur-de-projet, project: north }
projects:
  - { project: north, members: [alice, paul] }
authorizationPolicy: |
  @id("not bob")
  forbid(principal == Subject::"bob", action, resource);
organizations:
  - slug: acme
    name: Acme
    policy:
      document: { tools: { exclude: [shell] }, models: { providers: [local] } }
      validUntil: 2040-01-01T01:00:00+01:00
  - { slug: quiet, name: Quiet }
`;

let at: Commands;
const file = (text: string, name = 'configuration.yaml'): string => {
  const path = join(at.directory, name);
  writeFileSync(path, text);
  return path;
};
const exported = async (of = at): Promise<string> => (await of.ctl('export')).out;
const acts = async () =>
  (
    await at.database.sql<{ act: string; author: string }[]>`
    select action || ' ' || target as act, author from administration_actions order by sequence`
  ).map((row) => row);

beforeEach(async () => {
  at = await openCommands();
});
afterEach(() => at.close());

describe('export', () => {
  it('of an empty instance names every section, and applying it changes nothing', async () => {
    const text = await exported();
    expect(text).toContain('version: 1');
    for (const section of [
      'providers',
      'models',
      'endpoints',
      'plans',
      'accounts',
      'roles',
      'projects',
      'organizations',
    ]) {
      expect(text).toContain(`${section}: []`);
    }
    expect(await at.ctl('apply', file(text))).toMatchObject({ code: 0, out: 'Nothing to change.\n' });
    expect(await acts()).toEqual([]);
  });

  it('applied to an empty instance gives the same export, twice', async () => {
    expect(await at.ctl('apply', file(WHOLE), '--author', 'pipeline')).toMatchObject({ code: 0, err: '' });
    const first = await exported();
    expect(first).toContain('CLOUD_KEY');
    const other = await openCommands();
    try {
      const copy = file(first, 'first.yaml');
      expect(await other.ctl('apply', copy, '--author', 'pipeline')).toMatchObject({ code: 0 });
      expect(await exported(other)).toBe(first);
      expect(await other.ctl('apply', copy, '--prune')).toMatchObject({ code: 0, out: 'Nothing to change.\n' });
      expect(await other.ctl('diff', copy, '--prune')).toMatchObject({ code: 0, out: 'No differences.\n' });
      expect(await exported(other)).toBe(first);
    } finally {
      await other.close();
    }
  });

  it('contains no key, as YAML and as JSON, and both can be read', async () => {
    await at.ctl('account', 'create', 'carol');
    const json = (await at.ctl('export', '--json')).out;
    for (const text of [await exported(), json]) {
      expect(text).toContain('carol');
      expect(text).not.toMatch(/gwk_|lastFour|digest/);
    }
    expect(await at.ctl('diff', file(json, 'configuration.json'))).toMatchObject({ code: 0 });
  });
});

describe('apply', () => {
  // client-30
  it('records each change as the console and the single commands do', async () => {
    await at.ctl('apply', file(WHOLE), '--author', 'pipeline');
    const recorded = await acts();
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
    await at.ctl('apply', file(WHOLE));
    const before = (await acts()).length;
    const changed = WHOLE.replace('Local engine', 'Engine')
      .replace('model: qwen3, active: false', 'model: qwen3, active: true')
      .replace('monthlyCap: 12.5', 'monthlyCap: 20')
      .replace('enabled: false', 'enabled: true')
      .replace('name: Acme', 'name: Acme AG')
      .replace('  - { provider: cloud, slug: qwen3, name: Qwen 3, inputPrice: 0, outputPrice: 0 }\n', '')
      .replace('  - { subject: alice, role: utilisateur-standard }\n', '');
    const ran = await at.ctl('apply', file(changed));
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
    expect((await acts()).slice(before).map(({ act }) => act)).toEqual([
      'plan.change plan:team',
      'account.change account:bob',
      'provider.change provider:local',
      'endpoint.change endpoint:other',
      'organization.change organization:acme',
    ]);
  });

  it('with --prune deletes what its sections do not list, but no account and no organization', async () => {
    await at.ctl('apply', file(WHOLE));
    const ran = await at.ctl(
      'apply',
      file(
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
      file(`version: 1\nroles:\n${names.map((role) => `  - { subject: dora, role: ${role} }\n`).join('')}`);
    expect((await at.ctl('apply', roles('administrateur-d-instance'))).code).toBe(0);
    const both = await at.ctl('apply', roles('administrateur-d-instance', 'utilisateur-standard', 'auditeur'));
    expect(both).toMatchObject({ code: 1, err: expect.stringContaining('role of auditor at the same time') as string });
    expect((await at.json('roles', 'dora')) as unknown[]).toHaveLength(1);
    expect((await at.ctl('apply', roles('auditor'), '--prune')).code).toBe(0);
    expect(await at.json('roles', 'dora')).toMatchObject([{ role: 'auditeur' }]);
  });

  it('names the references to what it would delete, and changes nothing', async () => {
    await at.ctl('apply', file(WHOLE));
    const ran = await at.ctl('apply', file('version: 1\nauthorizationPolicy: ""\nproviders: []\n'), '--prune');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('something that stays refers to it') as string });
    expect(((await at.json('export')) as { providers: unknown[] }).providers).toHaveLength(2);
    expect(((await at.json('export')) as { authorizationPolicy: string }).authorizationPolicy).toBe(FORBID);
  });

  it('lifts the policy with a blank one, and a restored account has no key until one is issued', async () => {
    await at.ctl('apply', file(WHOLE));
    expect(await at.ctl('apply', file('version: 1\nauthorizationPolicy: ""\n'))).toMatchObject({ code: 0 });
    expect(await at.json('policy', 'show')).toMatchObject({ policy: { revision: 2, cedar: '' } });
    const [alice] = (await at.json('account', 'list')) as { keys: unknown[] }[];
    expect(alice?.keys).toEqual([]);
    expect(await at.ctl('account', 'rotate-key', 'alice')).toMatchObject({ code: 0 });
  });

  it('--dry-run finds what the database refuses, and leaves nothing behind', async () => {
    const ran = await at.ctl('apply', file(WHOLE), '--dry-run');
    expect(ran).toMatchObject({
      code: 0,
      out: expect.stringContaining('Dry run: 17 changes, undone again.') as string,
    });
    expect(await acts()).toEqual([]);
    const roles = '  - { subject: d, role: auditeur }\n  - { subject: d, role: administrateur-d-instance }\n';
    expect((await at.ctl('apply', file(`version: 1\nroles:\n${roles}`), '--dry-run')).code).toBe(1);
  });

  it('waits for another one, reports it, and then finds nothing to do', async () => {
    let isWaiting: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      isWaiting = resolve;
    });
    const held = at.database.sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(hashtextextended('configuration', 7333))`;
      const second = at.ctl('apply', file(WHOLE));
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
    const both = await Promise.all([at.ctl('apply', file(WHOLE)), at.ctl('apply', file(WHOLE))]);
    expect(both.map(({ out }) => out)).toEqual(['Nothing to change.\n', 'Nothing to change.\n']);
  });

  it('takes a large file: a thousand roles and members', async () => {
    const subjects = Array.from({ length: 500 }, (_, number) => `user-${number}`);
    const roles = subjects.map((subject) => ({ subject, role: 'utilisateur-standard' }));
    const text = JSON.stringify({ version: 1, roles, projects: [{ project: 'all', members: subjects }] });
    expect(await at.json('apply', file(text))).toMatchObject({ applied: true });
    expect(await at.ctl('diff', file(text), '--prune')).toMatchObject({ code: 0 });
  });
});

describe('diff', () => {
  it('prints what apply would change, with a separate exit code, and changes nothing', async () => {
    const ran = await at.ctl('diff', file(WHOLE));
    expect(ran).toMatchObject({ code: 3, err: '' });
    expect(ran.out).toContain('+ provider local\n');
    expect(ran.out).toContain('17 changes: apply would make the instance so.');
    const json = await at.ctl('diff', file(WHOLE), '--json');
    expect(json.code).toBe(3);
    expect((JSON.parse(json.out) as { changes: unknown[] }).changes).toContainEqual({
      action: 'create',
      kind: 'provider',
      name: 'local',
      members: [],
    });
    expect(await acts()).toEqual([]);
  });

  it.each([
    [
      'version: 1\nproviders:\n  - slug: a\n    name: A\n    baseUrl: http://h\n',
      ':5: providers[0].baseUrl is an http:// address',
    ],
    ['version: 1\nendpoint: []\n', ':2: endpoint is not known here'],
    ['version: 2\n', ':1: version must be 1'],
    ['{}', ':1: version must be 1'],
    ['', ':1: the document must be of type object'],
    ['- 1', ':1: the document must be of type object'],
    ['version: 1\nroles:\n  - subject: a\n    role: root\n', ':4: roles[0].role must be one of utilisateur-standard'],
    [
      'version: 1\nroles:\n  - { subject: a, role: auditeur, project: p }\n',
      ':3: roles[0].project is not for this role',
    ],
    [
      'version: 1\nmodels:\n  - { provider: x, slug: m, name: M, inputPrice: 0, outputPrice: 0 }\n',
      ':3: models[0].provider names the provider x',
    ],
    ['version: 1\nendpoints:\n  - { name: ide, provider: x, model: m }\n', ':3: endpoints[0].name must not be'],
    ['version: 1\nversion: 1\n', ':2: the document is not YAML at column 1: Map keys must be unique'],
    ['version: 1\nproviders: [\n', 'is not YAML'],
    [
      'version: 1\nproviders:\n  - &a { slug: a, name: A, baseUrl: https://h }\n  - *a\n',
      ':4: providers[1] is in the list twice',
    ],
    [
      'version: 1\nauthorizationPolicy: permit(principal, action, resource);\n',
      ':2: authorizationPolicy line 1, column 1',
    ],
    [
      'version: 1\norganizations:\n  - slug: a\n    name: A\n    policy: { document: { tool: {} } }\n',
      ':5: organizations[0].policy.document.tool is not known here',
    ],
    [
      'version: 1\nproviders:\n  - { slug: a, name: A, baseUrl: https://h, apiKeyEnv: DATABASE_URL }\n',
      'must not name a variable that the programs',
    ],
  ])('refuses %j with line and path', async (text, fault) => {
    for (const words of [['diff'], ['apply', '--dry-run']]) {
      const ran = await at.ctl(...words, file(text));
      expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringContaining(fault) as string });
      expect(ran.err).toContain('Nothing was changed.');
    }
  });

  it('refuses a secret without repeating it, and keeps the refused policy of an apply without it', async () => {
    const [{ value: secret } = { value: '' }] = canaries('apply');
    const text = `version: 1\nauthorizationPolicy: 'permit(principal == Subject::"${secret}", action, resource);'\n`;
    const ran = await at.ctl('apply', file(text));
    expect(ran).toMatchObject({
      code: 1,
      err: expect.stringContaining('authorizationPolicy holds what looks like a secret') as string,
    });
    expect(ran.err).not.toContain(secret);
    expect((await acts()).map(({ act }) => act)).toEqual(['policy.refuse policy']);
    expect([...(await everythingIn(at.database.sql)).values()].join()).not.toContain(secret);
  });

  it('keeps a refused policy of an organization', async () => {
    await at.ctl('organization', 'create', 'acme', 'Acme');
    const text = 'version: 1\norganizations:\n  - { slug: acme, name: Acme, policy: { document: { tool: {} } } }\n';
    expect((await at.ctl('apply', file(text), '--author', 'pipeline')).code).toBe(1);
    expect(await at.database.sql`select author, outcome, fault from policy_attempts`).toEqual([
      { author: 'pipeline', outcome: 'refused', fault: 'document.tool is not known here' },
    ]);
  });

  it('compares accounts without looking at their keys', async () => {
    await at.ctl('account', 'create', 'alice');
    expect(await at.ctl('diff', file('version: 1\naccounts: [{ username: alice }]\n'))).toMatchObject({ code: 0 });
  });
});
