import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeGateway, type GatewayAnswer } from '../../testing/fake-gateway.ts';
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

async function policy(answer: GatewayAnswer | 'cut', ...words: readonly string[]) {
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

it('names what is missing without a license or a gateway', async () => {
  const licensed = await world.gw(['policy', '--json'], { variables: { GATEWAY_LICENSE: 'the.license' } });
  expect(licensed.err).toMatch(/No gateway is configured/);
  const other = await world.gw(['policy', '--json'], { variables: { GATEWAY_URL: 'https://gateway.example' } });
  expect(other.err).toMatch(/There is no deployment license: set GATEWAY_LICENSE/);
  expect(JSON.parse(other.out)).toMatchObject({ source: 'none', policy: null });
});

it.each<[GatewayAnswer | 'cut', number, RegExp]>([
  [{ status: 401, body: { error: 'Present a valid license.' } }, 4, /answered 401: Present a valid license\./],
  ['cut', 1, /cannot be read, and no copy of it is saved here/],
  // client-1
])('ends with the right code where the gateway answers %j', async (answer, exit, says) => {
  const { code, out, err } = await policy(answer);
  expect([code, out]).toEqual([exit, '']);
  expect(err).toMatch(says);
});

it('shows the copy that was kept where the gateway does not answer, with a line about it', async () => {
  const { url, close } = await fakeGateway(() => ({ status: 200, body: SERVED }));
  const variables = { GATEWAY_URL: url, GATEWAY_LICENSE: 'the.license' };
  await world.gw(['policy'], { variables });
  close();
  const { code, out, err } = await world.gw(['policy'], { variables });
  expect([code, err.trimEnd().split('\n').length]).toEqual([0, 1]);
  expect(out).toMatch(/^Organization: {2}acme\n/);
  expect(out).toMatch(/^Read from: {5}the copy kept on this machine$/m);
});

it('imposes nothing outside its validity, and says so', async () => {
  const expired = { ...SERVED, validUntil: '2026-02-01T00:00:00.000Z' };
  const { code, out } = await policy({ status: 200, body: expired });
  expect(code).toBe(0);
  expect(out).toMatch(/^Validity: .* to 2026-02-01T00:00:00\.000Z, imposes nothing now$/m);
  expect(out).toMatch(/^Bash +asks first +by default/m);
});

it('says where commands run', async () => {
  const body = { ...SERVED, policy: { ...SERVED.policy, commands: { location: 'gateway' } } };
  expect((await policy({ status: 200, body })).out).toMatch(/^Commands run: {2}on the gateway$/m);
  expect((await policy({ status: 200, body: SERVED })).out).toMatch(/^Commands run: {2}on this machine$/m);
});

it('shows no control character of what the gateway answers', async () => {
  const body = { ...SERVED, organization: 'acme\x1b[2J', policy: { tools: { exclude: ['Bash(\x07\u202e)'] } } };
  const { out } = await policy({ status: 200, body });
  // oxlint-disable-next-line no-control-regex -- none may reach the terminal
  expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]/);
});

it('needs a home and a current directory', async () => {
  for (const environment of [{ homeDirectory: null }, { workingDirectory: null }]) {
    const { code, err } = await world.gw(['policy'], { environment });
    expect([code, err]).toEqual([
      1,
      'gw: You have no home directory, or the current directory is gone. Set HOME, or change directory.\n',
    ]);
  }
});
