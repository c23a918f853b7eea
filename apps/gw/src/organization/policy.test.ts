import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeGateway, type GatewayAnswer } from '../testing/fake-gateway.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { subjectOf } from './control-plane.ts';
import { openOrganization, readLicense } from './open.ts';
import { createOrganization } from './organization.ts';
import { createPolicyReader, PolicyUnknown } from './policy.ts';

const SERVED = {
  organization: 'acme',
  revision: 3,
  producedAt: '2026-01-01T00:00:00.000Z',
  validFrom: null as string | null,
  validUntil: null as string | null,
  policy: { tools: { exclude: ['Bash'] } } as unknown,
};
const NOW = new Date('2026-06-01T00:00:00Z');

async function world(served: Partial<typeof SERVED> = {}) {
  const state: { answer: GatewayAnswer | 'cut' } = { answer: { status: 200, body: { ...SERVED, ...served } } };
  const gateway = await fakeGateway(() => state.answer);
  const home = temporaryFolder();
  const plane = { gateway: gateway.url, license: 'the.license', fetch };
  const reader = (now = NOW) => createPolicyReader(plane, home, () => now);
  return { gateway, home, plane, reader, state };
}

it('is what the gateway serves, asked with the license', async () => {
  const { gateway, reader } = await world();
  expect(await reader().read()).toEqual({ ...SERVED, source: 'gateway', inForce: true, notice: null });
  expect(gateway.seen).toMatchObject([{ method: 'GET', url: '/ide/policy', authorization: 'Bearer the.license' }]);
});

it.each([
  [{ status: 503, body: { error: 'The database is down.' } }, 'answered 503: The database is down. The policy of'],
  [{ status: 503, body: { error: 'down' } }, 'answered 503: down. The policy of'],
  ['cut' as const, /does not answer: [^.]+\. The policy of/],
])('is the cached copy, with sentences that say why, if the gateway answers %j', async (answer, why) => {
  const { reader, state } = await world();
  await reader().read();
  state.answer = answer;
  const known = await reader().read();
  expect(known).toMatchObject({ source: 'kept', inForce: true, revision: 3, policy: SERVED.policy });
  expect(known.notice).toMatch(why);
  expect(known.notice).toMatch(/saved by an earlier session applies \(revision 3\)/);
});

it('is unknown without a valid cached copy: no answer is not the same as no policy', async () => {
  const { gateway, reader, state } = await world({ validUntil: '2026-07-01T00:00:00.000Z' });
  state.answer = 'cut';
  await expect(reader().read()).rejects.toThrow(PolicyUnknown);
  await expect(reader().read()).rejects.toThrow(/no copy of it is saved here.*does not answer/);
  state.answer = { status: 200, body: { ...SERVED, validUntil: '2026-07-01T00:00:00.000Z' } };
  await reader().read();
  gateway.close();
  expect((await reader(new Date('2026-06-30T23:59:59Z')).read()).source).toBe('kept');
  await expect(reader(new Date('2026-07-01T00:00:00Z')).read()).rejects.toThrow(/it was valid until 2026-07-01/);
});

it('names the refusal of the gateway', async () => {
  const { reader, state } = await world();
  state.answer = { status: 401, body: { error: 'Present a valid license.' } };
  await expect(reader().read()).rejects.toMatchObject({
    status: 401,
    message: expect.stringContaining('Present a') as string,
  });
});

it('imposes nothing before its validity begins and after it has ended', async () => {
  for (const bounds of [{ validFrom: '2026-06-02T00:00:00Z' }, { validUntil: '2026-05-31T00:00:00Z' }]) {
    const known = await (await world(bounds)).reader().read();
    expect(known).toMatchObject({ inForce: false, policy: SERVED.policy, source: 'gateway' });
    expect(known.notice).toMatch(/does not apply: it (?:is|was) valid/);
  }
});

it('that this version does not understand lets nothing be done', async () => {
  const { reader } = await world({ policy: { tools: { forbid: ['Bash'] } } });
  await expect(reader().read()).rejects.toThrow(/members that this version of gw does not know/);
});

it('of an organization that imposes nothing is no failure', async () => {
  const { reader } = await world({ policy: null, revision: null as unknown as number });
  expect(await reader().read()).toMatchObject({ inForce: false, policy: null, notice: null });
});

it('reports once that a copy is used, and uses a new revision at once', async () => {
  const { home, plane, state } = await world();
  const mask = (text: string): string => text;
  const organization = createOrganization({ plane, home, subject: 's', now: () => NOW, mask });
  expect(await organization.policy()).toMatchObject({ revision: 3, tools: { exclude: ['Bash'] }, notice: null });
  state.answer = 'cut';
  expect((await organization.policy()).notice).toMatch(/saved by an earlier session/);
  expect((await organization.policy()).notice).toBeNull();
  state.answer = { status: 200, body: { ...SERVED, revision: 4, policy: { tools: { ask: ['Write'] } } } };
  expect(await organization.policy()).toMatchObject({ source: 'gateway', revision: 4, tools: { ask: ['Write'] } });
});

it.each([
  [{ status: 200, body: { session: 'x', standing: 'revoked', revokedAt: '2026-01-01T00:00:00Z' } }, 'revoked'],
  [{ status: 200, body: { session: 'x', standing: 'in force' } }, 'in force'],
  [{ status: 503, body: { error: 'no' } }, 'unknown'],
  ['cut' as const, 'unknown'],
])('reads %j as the standing %s', async (answer, standing) => {
  const { gateway, home, plane, state } = await world();
  state.answer = answer;
  const organization = createOrganization({ plane, home, subject: 's', now: () => NOW, mask: (text) => text });
  expect(await organization.standing('a session/with signs')).toBe(standing);
  expect(gateway.seen[0]?.url).toBe('/ide/sessions/a%20session%2Fwith%20signs/standing');
});

it('does not follow the gateway elsewhere with the license', async () => {
  const other = await fakeGateway(() => ({ status: 200, body: SERVED }));
  const redirecting: typeof fetch = async () => Response.redirect(`${other.url}/ide/policy`);
  const reader = createPolicyReader(
    { gateway: other.url, license: 'l', fetch: redirecting },
    temporaryFolder(),
    () => NOW,
  );
  await expect(reader.read()).rejects.toThrow(/answered 302/);
  expect(other.seen).toEqual([]);
});

it('reads the license from a variable or from a file', async () => {
  const file = join(temporaryFolder(), 'license');
  writeFileSync(file, 'from.the.file\n');
  const read = (variables: Record<string, string>) => readLicense(new Map(Object.entries(variables)));
  expect(await read({})).toBeNull();
  expect(await read({ GATEWAY_LICENSE: ' a.b.c ' })).toBe('a.b.c');
  expect(await read({ GATEWAY_LICENSE_FILE: file })).toBe('from.the.file');
  await expect(read({ GATEWAY_LICENSE: 'a', GATEWAY_LICENSE_FILE: file })).rejects.toThrow(/both set/);
  await expect(read({ GATEWAY_LICENSE_FILE: `${file}.not` })).rejects.toThrow(
    /GATEWAY_LICENSE_FILE: .* cannot be read \(absent\)/,
  );
  await expect(read({ GATEWAY_LICENSE: 'two words' })).rejects.toThrow(/contains no license/);
});

it('is asked for with a gateway and a license only', async () => {
  const { gateway, home } = await world();
  const given = { userName: null, home, credential: null, now: () => NOW, mask: (text: string) => text, fetch };
  const licensed = new Map([['GATEWAY_LICENSE', 'l']]);
  for (const one of [
    { gateway: null, variables: licensed },
    { gateway: gateway.url, variables: new Map<string, string>() },
  ]) {
    const organization = await openOrganization({ ...given, ...one });
    expect(await organization.policy()).toMatchObject({ source: 'none', document: null, tools: {} });
    expect([await organization.standing('s'), await organization.flush()]).toEqual(['in force', null]);
  }
  expect(gateway.seen).toEqual([]);
  const organization = await openOrganization({ ...given, gateway: gateway.url, variables: licensed });
  expect(await organization.policy()).toMatchObject({ source: 'gateway', document: SERVED.policy });
});

it('charges acts to the token’s subject, else to GATEWAY_SUBJECT, else to the user of the system', () => {
  const token = `x.${Buffer.from('{"sub":"of the token"}').toString('base64url')}.y`;
  const variables = new Map([['GATEWAY_SUBJECT', 'of the variable']]);
  expect(subjectOf({ credential: token, variables, userName: 'casey' })).toBe('of the token');
  expect(subjectOf({ credential: 'gwk_1', variables, userName: 'casey' })).toBe('of the variable');
  expect(subjectOf({ credential: 'a.b.c', variables: new Map(), userName: 'casey' })).toBe('casey');
  expect(subjectOf({ credential: null, variables: new Map(), userName: null })).toBe('unknown');
});
