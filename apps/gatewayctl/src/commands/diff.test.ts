import { allRowsOf } from '@gateway/database/testing';
import { canaries } from '@gateway/secrets/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Configuration, openConfiguration, WHOLE } from '../testing/configuration.ts';

let at: Configuration;
beforeEach(async () => {
  at = await openConfiguration();
});
afterEach(() => at.close());

describe('diff', () => {
  it('prints what apply would change, with a separate exit code, and changes nothing', async () => {
    const ran = await at.ctl('diff', at.file(WHOLE));
    expect(ran).toMatchObject({ code: 3, err: '' });
    expect(ran.out).toContain('+ provider local\n');
    expect(ran.out).toContain('17 changes: apply would make the instance so.');
    const json = await at.ctl('diff', at.file(WHOLE), '--json');
    expect(json.code).toBe(3);
    expect((JSON.parse(json.out) as { changes: unknown[] }).changes).toContainEqual({
      action: 'create',
      kind: 'provider',
      name: 'local',
      members: [],
    });
    expect(await at.acts()).toEqual([]);
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
      const ran = await at.ctl(...words, at.file(text));
      expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringContaining(fault) as string });
      expect(ran.err).toContain('Nothing was changed.');
    }
  });

  it('refuses a secret without repeating it, and keeps the refused policy of an apply without it', async () => {
    const [{ value: secret } = { value: '' }] = canaries('apply');
    const text = `version: 1\nauthorizationPolicy: 'permit(principal == Subject::"${secret}", action, resource);'\n`;
    const ran = await at.ctl('apply', at.file(text));
    expect(ran).toMatchObject({
      code: 1,
      err: expect.stringContaining('authorizationPolicy holds what looks like a secret') as string,
    });
    expect(ran.err).not.toContain(secret);
    expect((await at.acts()).map(({ act }) => act)).toEqual(['policy.refuse policy']);
    expect([...(await allRowsOf(at.database.sql)).values()].join()).not.toContain(secret);
  });

  it('keeps a refused policy of an organization', async () => {
    await at.ctl('organization', 'create', 'acme', 'Acme');
    const text = 'version: 1\norganizations:\n  - { slug: acme, name: Acme, policy: { document: { tool: {} } } }\n';
    expect((await at.ctl('apply', at.file(text), '--author', 'pipeline')).code).toBe(1);
    expect(await at.database.sql`select author, outcome, fault from policy_attempts`).toEqual([
      { author: 'pipeline', outcome: 'refused', fault: 'document.tool is not known here' },
    ]);
  });

  it('compares accounts without looking at their keys', async () => {
    await at.ctl('account', 'create', 'alice');
    expect(await at.ctl('diff', at.file('version: 1\naccounts: [{ username: alice }]\n'))).toMatchObject({ code: 0 });
  });
});
