import { compilePolicySet } from '@gateway/access';
import { createTestDatabase, type Declare, declaring, type TestDatabase } from '@gateway/database/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lockoutsOf, type Probes } from './preview.ts';

let database: TestDatabase;
let declare: Declare;
beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
});
afterEach(() => database.sql`truncate role_assignments, subject_revocations, accounts cascade`);
afterAll(() => database.drop());

const PROBES: Probes = {
  endpoints: [{ name: 'chat', active: true, model: 'm', provider: 'lab', standby: null }],
  addresses: ['10.0.0.7'],
  named: [],
  at: new Date('2030-01-15T10:00:00Z'),
};
const CALLS = 'Nobody could call any endpoint.';
const CONSOLE =
  'No administrator could open the console. Only "gatewayctl policy lift", or the shared pair of a hosted console, could undo it.';
const POLICY =
  'No administrator could install another policy or lift this one. Only "gatewayctl policy lift", or the shared pair of a hosted console, could undo it.';
const AUDIT = "No auditor could open the auditors' surface.";

const lockouts = (cedar: string, probes: Partial<Probes> = {}) =>
  lockoutsOf(database.sql, compilePolicySet(cedar), { ...PROBES, ...probes });
const except = (subject: string) =>
  `forbid(principal, action, resource) unless { principal == Subject::"${subject}" };`;

describe('a policy', () => {
  it('that forbids everything closes every door, each with its sentence', async () => {
    expect(await lockouts('forbid(principal, action, resource);')).toEqual([CALLS, CONSOLE, POLICY, AUDIT]);
  });
  it.each([
    ['forbid(principal, action == Action::"inference:appeler", resource);', [CALLS]],
    ['forbid(principal, action == Action::"console:administrer-l-instance", resource);', [CONSOLE]],
    ['forbid(principal, action == Action::"politique:administrer", resource);', [POLICY]],
    ['forbid(principal in Role::"auditeur", action, resource);', [AUDIT]],
    ['forbid(principal in Role::"administrateur-d-instance", action, resource);', [CONSOLE, POLICY]],
    ['forbid(principal, action, resource) when { context.method == "POST" };', [CALLS, POLICY]],
    ['forbid(principal, action, resource) when { context.path like "/api/*" };', [POLICY]],
    ['forbid(principal, action == Action::"journal:lire", resource);', []],
  ])('closes only the doors it names: %s', async (cedar, closed) => {
    expect(await lockouts(cedar)).toEqual(closed);
  });
  it('that asks for a session, or forbids one, locks nobody out: callers choose', async () => {
    expect(await lockouts('forbid(principal, action, resource) unless { context has session };')).toEqual([]);
    expect(await lockouts('forbid(principal, action, resource) when { context has session };')).toEqual([]);
  });
  it('of hours of work locks nobody out, at whatever hour it is previewed', async () => {
    const work = `forbid(principal, action, resource)
      when { context.time.toTime() < duration("8h") || context.time.toTime() > duration("18h") };`;
    for (const hour of ['00', '03', '06', '12', '19', '23']) {
      expect(await lockouts(work, { at: new Date(`2030-01-15T${hour}:30:00Z`) })).toEqual([]);
    }
  });
  it.each([
    ['two hours', '>= duration("9h")', '< duration("11h")'],
    ['a minute', '>= duration("23h59m")', '<= duration("23h59m59s999ms")'],
    ['an instant', '> duration("1h")', '< duration("1h0m0s2ms")'],
  ])('of %s a day locks nobody out, at whatever hour it is previewed', async (_, begin, end) => {
    const open = `forbid(principal, action, resource)
      unless { context.time.toTime() ${begin} && context.time.toTime() ${end} };`;
    for (const hour of ['00', '05', '10', '14', '23'])
      expect(await lockouts(open, { at: new Date(`2030-01-15T${hour}:17:00.123Z`) })).toEqual([]);
  });
  it('that leaves no hour of the day open is reported', async () => {
    const closed = `forbid(principal, action, resource)
      unless { context.time.toTime() >= duration("11h") && context.time.toTime() < duration("9h") };`;
    expect(await lockouts(closed)).toHaveLength(4);
  });
  it('that ends all access at a date is reported', async () => {
    const ended = 'forbid(principal, action, resource) when { context.time > datetime("2029-12-31") };';
    expect(await lockouts(ended)).toHaveLength(4);
  });
});

describe('the endpoints', () => {
  const forbidden = 'forbid(principal, action == Action::"inference:appeler", resource == Endpoint::"chat");';
  const endpoint = (name: string, active = true) => ({ name, active, model: 'm', provider: 'lab', standby: null });
  it('that are disabled open no door', async () => {
    expect(await lockouts(forbidden, { endpoints: [endpoint('chat'), endpoint('code', false)] })).toEqual([CALLS]);
    expect(await lockouts(forbidden, { endpoints: [endpoint('chat'), endpoint('code')] })).toEqual([]);
  });
  it('are distinguished by their model and provider', async () => {
    const lab =
      'forbid(principal, action == Action::"inference:appeler", resource) when { resource.provider == "lab" };';
    expect(await lockouts(lab)).toEqual([CALLS]);
    expect(await lockouts(lab, { endpoints: [{ ...endpoint('chat'), provider: 'own' }] })).toEqual([]);
  });
  it('may be none: then only a policy for every endpoint closes the door', async () => {
    expect(await lockouts(forbidden, { endpoints: [] })).toEqual([]);
    expect(
      await lockouts('forbid(principal, action == Action::"inference:appeler", resource);', { endpoints: [] }),
    ).toEqual([CALLS]);
  });
});

describe('the people', () => {
  it('who hold the role count, not others that the policy excepts', async () => {
    const [administrator, caller] = ['admin', 'caller'];
    await declare.grant(administrator, 'administrateur-d-instance');
    await declare.grant(caller, 'utilisateur-standard');
    expect(await lockouts(except(administrator), { named: [administrator] })).toEqual([CALLS, AUDIT]);
    expect(await lockouts(except(caller), { named: [caller] })).toEqual([CONSOLE, POLICY, AUDIT]);
  });
  it('are tried with all their roles', async () => {
    const both = 'both';
    await declare.grant(both, 'administrateur-d-instance');
    await declare.grant(both, 'utilisateur-standard');
    const callers = 'forbid(principal in Role::"utilisateur-standard", action, resource);';
    expect(await lockouts(callers)).toEqual([CALLS, CONSOLE, POLICY]);
    await declare.grant('admin', 'administrateur-d-instance');
    expect(await lockouts(callers)).toEqual([CALLS]);
  });
  it('that the policy names are tried first, among any number of others', async () => {
    await database.sql`
      insert into role_assignments (id, subject, role, author)
      select gen_random_uuid(), 'a-' || n, 'administrateur-d-instance', 'test' from generate_series(1, 40) n`;
    await declare.grant('zoe', 'administrateur-d-instance');
    expect(await lockouts(except('zoe'), { named: ['zoe'] })).toEqual([CALLS, AUDIT]);
  });
  it('who are revoked or disabled open no door: they could undo nothing', async () => {
    const [revoked, disabled] = ['revoked', 'disabled'];
    for (const subject of [revoked, disabled, 'other']) await declare.grant(subject, 'administrateur-d-instance');
    expect(await lockouts(except(revoked), { named: [revoked] })).toEqual([CALLS, AUDIT]);
    await database.sql`
      insert into subject_revocations (id, subject, reason, author) values (gen_random_uuid(), ${revoked}, 'left', 'test')`;
    await database.sql`
      insert into accounts (id, username, origin, enabled) values (gen_random_uuid(), ${disabled}, 'local', false)`;
    for (const subject of [revoked, disabled]) {
      expect(await lockouts(except(subject), { named: [subject] })).toEqual([CALLS, CONSOLE, POLICY, AUDIT]);
    }
    await database.sql`update subject_revocations set lifted_at = now(), lifted_by = 'test', lift_reason = 'back'`;
    expect(await lockouts(except(revoked), { named: [revoked] })).toEqual([CALLS, AUDIT]);
  });
});

describe('the addresses', () => {
  const inside = `forbid(principal, action, resource) unless { context.sourceAddress.isInRange(ip("10.0.0.0/8")) };`;
  it('of the past count: one from which a door opens is enough', async () => {
    expect(await lockouts(inside, { addresses: ['192.0.2.1', '2001:db8::1'] })).toHaveLength(4);
    expect(await lockouts(inside, { addresses: ['192.0.2.1', '10.1.1.1'] })).toEqual([]);
  });
});
