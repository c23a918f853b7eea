import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Answer, fakeGateway } from '../../testing/fake-gateway.ts';
import { openWorld, type World } from '../../testing/world.ts';

const SERVED = {
  organization: 'acme',
  revision: 7,
  producedAt: '2026-01-01T00:00:00.000Z',
  validFrom: null,
  validUntil: '2027-01-01T00:00:00.000Z',
  policy: { tools: { exclude: ['Bash', 'Fetch(*.example)'], ask: ['Read'], allow: ['Write'] } },
};

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

async function policy(answer: Answer | 'cut', ...words: readonly string[]) {
  const { url } = await fakeGateway(() => answer);
  return world.gw(['policy', ...words], { variables: { GATEWAY_URL: url, GATEWAY_LICENSE: 'the.license' } });
}

it('shows the policy in force, and for each tool the decision with its rule', async () => {
  const { code, out, err } = await policy({ status: 200, body: SERVED });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^Organization: {2}acme\nRevision: {6}7, produced 2026-01-01/);
  expect(out).toMatch(/^Validity: {6}any time to 2027-01-01T00:00:00\.000Z, in force$/m);
  expect(out).toMatch(/^Bash +excluded +by policy: exclude Bash$/m);
  expect(out).toMatch(/^Read +asks first +by policy: ask Read$/m);
  expect(out).toMatch(/^Write +allowed +by policy: allow Write$/m);
  expect(out).toMatch(/^Fetch +asks first +by default; exclude Fetch\(\*\.example\)$/m);
  expect(out).toMatch(/^List +allowed +by default$/m);
});

it('prints what the gateway answers as JSON, with the source and the tools', async () => {
  const value = JSON.parse((await policy({ status: 200, body: SERVED }, '--json')).out) as { tools: object };
  expect(value).toMatchObject({ ...SERVED, source: 'gateway' });
  expect(value.tools).toMatchObject({ Bash: { decision: 'deny', rule: 'exclude Bash', patterns: [] } });
});

it('names what is missing without a licence or a gateway', async () => {
  const licensed = await world.gw(['policy', '--json'], { variables: { GATEWAY_LICENSE: 'the.license' } });
  expect(licensed.err).toMatch(/No gateway is configured/);
  const other = await world.gw(['policy', '--json'], { variables: { GATEWAY_URL: 'https://gateway.example' } });
  expect(other.err).toMatch(/There is no deployment licence: set GATEWAY_LICENSE/);
  expect(JSON.parse(other.out)).toMatchObject({ source: 'none', policy: null });
});

it.each<[Answer | 'cut', number, RegExp]>([
  [{ status: 401, body: { error: 'Present a valid licence.' } }, 4, /answered 401: Present a valid licence\./],
  ['cut', 1, /cannot be read, and no copy of it is kept here/],
  // client-1
])('ends with the right code where the gateway answers %j', async (answer, exit, says) => {
  const { code, out, err } = await policy(answer);
  expect([code, out]).toEqual([exit, '']);
  expect(err).toMatch(says);
});
