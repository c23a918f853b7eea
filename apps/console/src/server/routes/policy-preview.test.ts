import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
  const provider = await here.pair.create('/api/providers', {
    slug: 'lab',
    name: 'Lab',
    baseUrl: 'https://engine.example',
  });
  const model = await here.pair.create('/api/models', {
    slug: 'm',
    name: 'M',
    provider: provider.id,
    inputPrice: 0,
    outputPrice: 0,
  });
  await here.pair.create('/api/endpoints', { name: 'chat', model: model.id });
  await here.pair.create('/api/role-assignments', { subject: 'ada', role: 'utilisateur-standard' });
  // Ten calls of ada, one refused call of a stranger: a log as gateways write it, but for its chain.
  await here.database.sql`
    insert into authorization_decisions (sequence, id, at, component, subject, credential, key_id, permission, resource, session,
      outcome, reason, status, roles, policy_revision, detail, request_id, source_address, previous, digest)
    select n, gen_random_uuid(), now(), 'gateway', case when n = 11 then 'eve' else 'ada' end, 'key', null, 'inference:appeler',
      case when n <= 7 then 'endpoint:chat' else 'endpoint:code' end, null, case when n = 11 then 'refused' else 'granted' end,
      case when n = 11 then 'role-missing' else 'role' end, 200, array['utilisateur-standard'], null, null, null, '10.0.0.7',
      decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex') from generate_series(1, 11) n`;
});
afterAll(() => here.stop());
const check = async (cedar: string, client = here.pair) =>
  (await client.post('/api/policies/check', { cedar })).json as {
    faults: unknown[];
    warnings: { message: string; line: number }[];
    lockouts: string[];
    impact: { examined: number; refused: number } | null;
  };

describe('a policy that is about to be installed', () => {
  it('lists the people it locks out, and past calls it would have refused, by endpoint and role', async () => {
    const preview = await check('forbid(principal, action, resource);');
    expect(preview.faults).toEqual([]);
    expect(preview.lockouts).toEqual([
      'Nobody could call any endpoint.',
      expect.stringContaining('No administrator could open the console.'),
      expect.stringContaining('No administrator could install another policy'),
      expect.stringContaining('No auditor could open'),
    ]);
    expect(preview.impact).toEqual({
      examined: 11,
      refused: 10,
      endpoints: [
        { name: 'endpoint:chat', refused: 7 },
        { name: 'endpoint:code', refused: 3 },
      ],
      roles: [{ name: 'utilisateur-standard', refused: 10 }],
      subjects: [{ name: 'ada', refused: 10 }],
      estimated: false,
    });
  });
  it('names no person to an administrator without the right to read the log', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const preview = await check('forbid(principal, action, resource);', holder);
    // Its own request is in the log by then.
    expect(preview.impact).toMatchObject({ examined: 12, refused: 11, subjects: null });
    expect(JSON.stringify(preview)).not.toContain('"ada"');
  });
  it.each([
    ['forbid(principal == Subject::"nobody-known", action, resource);', /^Subject "nobody-known"/],
    ['forbid(principal, action == Action::"inference:appeler", resource == Endpoint::"chta");', /^Endpoint "chta"/],
    ['forbid(principal, action == Action::"membres:lire", resource == Project::"nowhere");', /^Project "nowhere"/],
  ])('gets a warning about names that do not exist: %s', async (cedar, warning) => {
    const { warnings, lockouts } = await check(cedar);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(warning)]);
    expect(lockouts).toEqual([]);
  });
  it('gets no warning if all names are known and nobody is locked out', async () => {
    const cedar = 'forbid(principal == Subject::"ada", action, resource) unless { resource == Endpoint::"chat" };';
    const preview = await check(cedar);
    expect([preview.warnings, preview.lockouts.length, preview.impact?.refused]).toEqual([[], 0, 3]);
  });
  it('locks nobody out if one subject is excepted, by address or by name', async () => {
    const network = `forbid(principal, action == Action::"inference:appeler", resource) unless { context.sourceAddress.isInRange(ip("10.0.0.0/8")) };`;
    expect((await check(network)).lockouts).toEqual([]);
    const byName =
      'forbid(principal, action == Action::"inference:appeler", resource) unless { principal == Subject::"ada" };';
    expect((await check(byName)).lockouts).toEqual([]);
    const away = network.replace('10.0.0.0/8', '192.0.2.0/24');
    expect((await check(away)).lockouts).toEqual(['Nobody could call any endpoint.']);
  });
  it('is refused where it names a role that does not exist', async () => {
    const { faults, impact } = await check('forbid(principal in Role::"super", action, resource);');
    expect([faults.length, impact]).toEqual([1, null]);
  });
  it('marks the count as an estimate if the text uses attributes that the log does not contain', async () => {
    const { impact } = await check('forbid(principal, action, resource) when { context.path like "/chat/*" };');
    expect(impact).toMatchObject({ refused: 7, estimated: true });
  });
});
