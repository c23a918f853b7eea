import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canaries } from '@gateway/secrets/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

let at: Commands;
let folder: string;
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const attempts = async () => [
  ...(await at.database
    .sql`select organization, author, outcome, revision, fault, document from policy_attempts order by at, id`),
];
const show = async () => JSON.parse((await at.ctl('organization', 'policy', 'show', 'acme', '--json')).out) as unknown;

beforeAll(async () => {
  at = await openCommands();
  folder = mkdtempSync(join(tmpdir(), 'gatewayctl-organization-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await at.close();
});

const DOCUMENT = { tools: { allow: ['read_file'], exclude: ['shell'] } };

describe('organization create', () => {
  it('declares one, once', async () => {
    expect(await at.ctl('organization', 'create', 'acme', 'Acme')).toMatchObject({ code: 0 });
    expect(await at.ctl('organization', 'create', 'acme', 'Again')).toMatchObject({
      code: 1,
      err: expect.stringContaining('already'),
    });
  });
  it('takes the slugs and names that the console takes', async () => {
    expect((await at.ctl('organization', 'create', 'North.1', 'North')).code).toBe(0);
    for (const slug of ['a b/c', '-a', ''])
      expect((await at.ctl('organization', 'create', '--', slug, 'A')).code).toBe(2);
    expect((await at.ctl('organization', 'create', 'blank', '  ')).code).toBe(2);
  });
});

describe('organization policy', () => {
  it('is nothing at first', async () => {
    expect((await at.ctl('organization', 'policy', 'show', 'acme')).out).toBe(
      'The organization acme imposes nothing.\n',
    );
    expect(await show()).toEqual({ organization: 'acme', policy: null });
  });
  it('is imposed, revision by revision, with its validity and author', async () => {
    const words = ['--author', 'olga', '--valid-from', '2026-01-01T00:00:00Z', '--valid-until', '2027-01-01T00:00:00Z'];
    const { code, out } = await at.ctl('organization', 'policy', 'install', 'acme', file('good', DOCUMENT), ...words);
    expect([code, out]).toEqual([0, 'Revision 1 is imposed on the workstations of acme.\n']);
    await at.ctl('organization', 'policy', 'install', 'acme', file('empty', {}), '--author', 'olga');
    expect(await show()).toMatchObject({
      policy: { revision: 2, author: 'olga', document: {}, validFrom: null, validUntil: null },
    });
    const rows = await at.database
      .sql`select revision, document, valid_from, valid_until from organization_policies order by revision`;
    expect(rows[0]).toEqual({
      revision: 1,
      document: DOCUMENT,
      valid_from: new Date('2026-01-01T00:00:00Z'),
      valid_until: new Date('2027-01-01T00:00:00Z'),
    });
  });
  it('is refused with the path of the fault, changes nothing, and the attempt is recorded', async () => {
    const before = await show();
    const install = (path: string, ...words: string[]) =>
      at.ctl('organization', 'policy', 'install', 'acme', path, '--author', 'eve', ...words);
    const unknown = await install(file('unknown', { tools: { permit: ['x'] } }));
    expect(unknown).toMatchObject({ code: 1, err: expect.stringMatching(/was not installed\. tools: .*permit/) });
    expect((await install(file('broken', '{'))).err).toContain('the document: ');
    const late = await install(
      file('good', DOCUMENT),
      '--valid-from',
      '2027-01-01T00:00:00Z',
      '--valid-until',
      '2026-01-01T00:00:00Z',
    );
    expect(late.err).toContain('validUntil: must be later than validFrom');
    expect(await show()).toEqual(before);
    const refused = (await attempts()).filter(({ outcome }) => outcome === 'refused');
    expect(refused).toHaveLength(3);
    expect(refused[0]).toMatchObject({
      organization: 'acme',
      author: 'eve',
      revision: null,
      document: '{"tools":{"permit":["x"]}}',
      fault: expect.stringContaining('tools'),
    });
  });
  it('is of an organization that exists, from a file that can be read', async () => {
    const absent = 'There is no organization nobody.';
    expect((await at.ctl('organization', 'policy', 'install', 'nobody', file('good', DOCUMENT))).err).toContain(absent);
    expect(await at.ctl('organization', 'policy', 'show', 'nobody')).toMatchObject({
      code: 1,
      err: expect.stringContaining(absent),
    });
    expect((await at.ctl('organization', 'policy', 'install', 'acme', '/no/such')).err).toContain(
      'cannot be read (ENOENT)',
    );
  });
  it('and every act is in the administration log', async () => {
    const rows = await at.database.sql`select action, author, target from administration_actions
      where target = 'organization:acme' order by sequence`;
    expect(rows.map(({ action }) => action)).toEqual([
      'organization.create',
      'organization-policy.install',
      'organization-policy.install',
      'organization-policy.refuse',
      'organization-policy.refuse',
      'organization-policy.refuse',
    ]);
  });
  it('that holds a secret is refused, and kept without it', async () => {
    const [secret] = canaries('organization policy');
    const document = file('secret', { tools: { exclude: [secret?.value] } });
    const ran = await at.ctl('organization', 'policy', 'install', 'acme', document);
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('holds what looks like a secret')]);
    expect(JSON.stringify(await attempts())).not.toContain(secret?.value);
  });

  it('may not contain a duplicate member: one of the two would be ignored', async () => {
    const twice = file('twice.json', '{"tools":{"allow":["a"]},"tools":{"exclude":["b"]}}');
    expect(await at.ctl('organization', 'policy', 'install', 'acme', twice)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/twice\.json was not installed\. tools: is given more than once\n$/) as string,
    });
  });
  it('is JSON, behind a byte order mark or not', async () => {
    const broken = await at.ctl('organization', 'policy', 'install', 'acme', file('broken.json', '{'));
    expect(broken).toMatchObject({ code: 1, err: expect.stringMatching(/broken\.json .*: is not JSON\n$/) as string });
    const latin = file('latin.json', '{}');
    writeFileSync(latin, Buffer.from('{"tools":{"exclude":["ex\xe9cuter"]}}', 'latin1'));
    expect(await at.ctl('organization', 'policy', 'install', 'acme', latin)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not UTF-8') as string,
    });
    const marked = file('marked.json', `\ufeff${JSON.stringify(DOCUMENT)}\r\n`);
    expect((await at.ctl('organization', 'policy', 'install', 'acme', marked)).code).toBe(0);
  });
});
