import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declaring } from '@gateway/database/testing';
import { canaries } from '@gateway/secrets/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

let at: Commands;
let folder: string;

function policy(name: string, cedar: string): string {
  const path = join(folder, name);
  writeFileSync(path, cedar);
  return path;
}

beforeAll(async () => {
  at = await openCommands();
  folder = mkdtempSync(join(tmpdir(), 'gatewayctl-policy-'));
  const declare = declaring(at.database.sql);
  await declare.endpoint('chat', await declare.model(await declare.provider('local'), 'qwen3'));
  const [first, spare] = [await declare.provider('near'), await declare.provider('cloud')];
  await declare.endpoint('spared', await declare.model(first, 'qwen3'), true, await declare.model(spare, 'huge'));
  await declare.grant('alice', 'utilisateur-standard');
  await declare.grant('paul', 'administrateur-de-projet', 'north');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await at.close();
});

const NIGHT = `@id("no night") forbid(principal, action == Action::"inference:appeler", resource)
  when { context.time.toTime() < duration("6h") };
@id("not bob") forbid(principal == Subject::"bob", action, resource);
`;

describe('policy check', () => {
  it('accepts a policy that may be installed', async () => {
    const { code, out } = await at.ctl('policy', 'check', policy('night', NIGHT));
    expect(code).toBe(0);
    expect(out).toMatch(/may be installed: 2 policies\.\n {2}no night \(line 1\)\n {2}not bob \(line 3\)/);
  });
  it('warns of what can never apply', async () => {
    const text = 'forbid(principal, action == Action::"inference:appeler", resource == Project::"x");';
    expect((await at.ctl('policy', 'check', policy('never', text))).out).toContain('Warning: line 1, column 1');
  });
  // roles-17
  it('reports the position of a fault, for people and programs', async () => {
    const wrong = policy('wrong', 'forbid(principal, action, resource)\nwhen { 1 + };');
    expect(await at.ctl('policy', 'check', wrong)).toMatchObject({
      code: 1,
      err: expect.stringContaining('line 2, column 12'),
    });
    const { code, out } = await at.ctl('policy', 'check', wrong, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ sound: false, faults: [{ line: 2, column: 12 }] });
    expect((await at.ctl('policy', 'check', '/no/such')).err).toContain('cannot be read (ENOENT)');
  });
});

describe('policy install and show', () => {
  it('keep a refused text without its secret and without what cannot be stored', async () => {
    const [secret] = canaries('policy');
    const text = `permit(principal, action, resource); // \0 ${secret?.text}`;
    expect(await at.ctl('policy', 'install', policy('refused', text), '--author', 'chief')).toMatchObject({ code: 1 });
    const [attempt] = await at.database.sql`select document from policy_attempts order by at desc limit 1`;
    expect(attempt?.['document']).toContain('// \ufffd ');
    expect(JSON.stringify(await at.database.sql`select document, fault from policy_attempts`)).not.toContain(
      secret?.value,
    );
  });
  it('refuse a secret in a policy that is sound, and keep it neither', async () => {
    const [secret] = canaries('sound policy');
    const sound = policy('sound', `// ${secret?.text}\nforbid(principal, action, resource);`);
    for (const command of ['check', 'install'])
      expect(await at.ctl('policy', command, sound)).toMatchObject({
        code: 1,
        err: expect.stringContaining('holds what looks like a secret') as string,
      });
    const kept = await at.database.sql`select document from policy_attempts where outcome = 'refused'`;
    expect(JSON.stringify(kept)).not.toContain(secret?.value);
  });
  it('put the next revision in force, and record it', async () => {
    expect((await at.ctl('policy', 'show')).out).toContain('No authorization policy was ever installed');
    expect(await at.json('policy', 'install', policy('night', NIGHT), '--author', 'chief')).toEqual({
      revision: 1,
      policies: 2,
    });
    expect(await at.json('policy', 'show')).toMatchObject({ policy: { revision: 1, cedar: NIGHT, author: 'chief' } });
    const [act] = await at.database
      .sql`select author, action from administration_actions order by sequence desc limit 1`;
    expect(act).toEqual({ author: 'chief', action: 'policy.install' });
  });
  it('refuse what may not be in force, and record that too', async () => {
    const permit = policy('permit', 'permit(principal, action, resource);');
    const { code, err } = await at.ctl('policy', 'install', permit);
    expect([code, err]).toEqual([1, expect.stringContaining('was not installed. line 1, column 1: policy 1 permits')]);
    const [attempt] = await at.database
      .sql`select outcome, author, fault from policy_attempts order by at desc limit 1`;
    expect(attempt).toMatchObject({ outcome: 'refused', author: 'tester@machine' });
    expect(((await at.json('policy', 'show')) as { policy: { revision: number } }).policy.revision).toBe(1);
  });
});

describe('a text without a policy', () => {
  const inForce = async () =>
    ((await at.json('policy', 'show')) as { policy: { revision: number; cedar: string } }).policy;

  it.each(['', ' \r\n', '\ufeff', '// generated\n'])(
    'is not installed, and the way to lift is named: %j',
    async (text) => {
      const before = await inForce();
      for (const command of ['install', 'check']) {
        const { code, err } = await at.ctl('policy', command, policy('nothing', text));
        expect([code, err]).toEqual([1, expect.stringContaining('contains no policy')]);
        expect(err).toContain('"gatewayctl policy lift"');
      }
      expect(await inForce()).toEqual(before);
      const [attempt] = await at.database.sql`select outcome, fault from policy_attempts order by at desc limit 1`;
      expect(attempt).toMatchObject({ outcome: 'refused', fault: expect.stringContaining('contains no policy') });
    },
  );
  it('is put in force by a separate command, which is recorded', async () => {
    const { revision } = await inForce();
    const { code, out } = await at.ctl('policy', 'lift', '--author', 'chief');
    expect([code, out]).toEqual([0, expect.stringContaining('only the role matrix applies')]);
    expect(await inForce()).toMatchObject({ revision: revision + 1, cedar: '', author: 'chief' });
    const [act] = await at.database
      .sql`select author, action from administration_actions order by sequence desc limit 1`;
    expect(act).toEqual({ author: 'chief', action: 'policy.install' });
    expect(await at.json('policy', 'lift')).toEqual({ revision: revision + 2, policies: 0 });
    expect(await at.json('policy', 'install', policy('again', NIGHT))).toMatchObject({ revision: revision + 3 });
  });
});

describe('policy explain', () => {
  const DAY = ['--at', '2026-01-31T12:00:00Z'];
  const BY_NIGHT = ['--at', '2026-01-31T03:00:00Z'];
  const ASKED = ['alice', 'inference:appeler', 'endpoint:chat'];

  it('reports that a subject may, and the result of each policy', async () => {
    const { code, out } = await at.ctl('policy', 'explain', ...ASKED, ...DAY);
    expect(code).toBe(0);
    expect(out).toBe(`alice is granted “Call endpoints” on endpoint:chat.
  alice has the role User, which contains it
  no night (line 1) says nothing about this
  not bob (line 3) says nothing about this
`);
  });
  it.each(['call endpoints', 'Call Endpoints'])('takes the English name of a permission: %s', async (label) => {
    const asked = ['alice', label, 'endpoint:chat'];
    expect(await at.json('policy', 'explain', ...asked, ...DAY)).toMatchObject({ permission: 'inference:appeler' });
  });
  it('takes an apostrophe as a keyboard writes it', async () => {
    expect(await at.json('policy', 'explain', 'alice', "read one's own usage", 'instance', ...DAY)).toMatchObject({
      permission: 'usage:lire-le-sien',
    });
  });
  it('names the policy that refuses, and its line', async () => {
    const { out } = await at.ctl('policy', 'explain', ...ASKED, ...BY_NIGHT);
    expect(out).toContain('alice is refused “Call endpoints” on endpoint:chat.');
    expect(out).toContain('  no night (line 1) forbids it');
  });
  it('names the missing role, and the policies that would still refuse', async () => {
    expect(await at.json('policy', 'explain', 'bob', 'inference:appeler', 'endpoint:chat', ...DAY)).toMatchObject({
      granted: false,
      reason: 'role-missing',
      role: 'utilisateur-standard',
      held: false,
      policies: [{ says: 'nothing' }, { policy: 'not bob', says: 'forbids' }],
    });
  });
  it('asks a policy that is not installed', async () => {
    const file = policy('model', 'forbid(principal, action, resource is Endpoint) when { resource.model == "qwen3" };');
    expect((await at.ctl('policy', 'explain', ...ASKED, '--file', file)).out).toContain('policy 1 (line 1) forbids it');
    const sum = policy('sum', 'forbid(principal, action, resource) when { 9223372036854775807 + 1 > 0 };');
    expect((await at.ctl('policy', 'explain', ...ASKED, '--file', sum)).out).toMatch(
      /cannot be evaluated, so it refuses: .*overflow/,
    );
  });
  it('says what is decided on the standby, where that is something else', async () => {
    const spared = ['alice', 'inference:appeler', 'endpoint:spared', '--file'];
    const near = policy(
      'near',
      '@id("near only") forbid(principal, action, resource is Endpoint) unless { resource.provider == "near" };',
    );
    expect(
      (await at.ctl('policy', 'explain', ...spared, near)).out,
    ).toBe(`alice is granted “Call endpoints” on endpoint:spared.
  alice has the role User, which contains it
  near only (line 1) says nothing about this
alice is refused “Call endpoints” on endpoint:spared if its standby serves it: the model huge of cloud.
  near only (line 1) forbids it
`);
    expect(await at.json('policy', 'explain', ...spared, near)).toMatchObject({
      granted: true,
      standby: {
        model: 'huge',
        provider: 'cloud',
        granted: false,
        reason: 'policy-forbids',
        policies: [{ says: 'forbids' }],
      },
    });
    const all = policy('all', 'forbid(principal, action, resource is Endpoint) when { resource.provider != "x" };');
    expect(await at.json('policy', 'explain', ...spared, all)).toMatchObject({ granted: false, standby: null });
  });
  it('uses the role of the requested project', async () => {
    const on = async (project: string) =>
      ((await at.json('policy', 'explain', 'paul', 'membres:lire', `project:${project}`)) as { granted: boolean })
        .granted;
    expect([await on('north'), await on('south')]).toEqual([true, false]);
  });
  it.each([
    [['alice', 'inference:call', 'endpoint:chat'], 2, 'are: “Call endpoints”, '],
    [['alice', 'inference:appeler', 'instance'], 2, 'is asked on endpoint:NAME'],
    [['alice', 'journal:lire', 'endpoint:chat'], 2, 'is asked on instance'],
    [['alice', 'inference:appeler', 'endpoint:nowhere'], 1, 'There is no endpoint "nowhere"'],
    [['alice', 'inference:appeler', 'endpoint:chat', '--source-address', 'here'], 2, '--source-address'],
    [['alice', 'inference:appeler', 'endpoint:chat', '--at', 'noon'], 2, '--at'],
    [
      ['alice', 'inference:appeler', 'endpoint:chat', '--at', '2026-01-31T12:00:00'],
      2,
      '--at must be an ISO 8601 instant',
    ],
    [
      ['alice', 'inference:appeler', 'endpoint:chat', '--at', '2026-02-30T12:00:00Z'],
      2,
      '--at must be an ISO 8601 instant',
    ],
    [
      ['alice', 'inference:appeler', 'endpoint:chat', '--at', '9999-12-31T23:59:59-01:00'],
      2,
      '--at must lie in the years',
    ],
  ])('is used wrongly: %j', async (words, expected, sentence) => {
    const { code, err } = await at.ctl('policy', 'explain', ...words);
    expect([code, err]).toEqual([expected, expect.stringContaining(sentence)]);
  });
});
