import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ActDetails, ModelRefused } from '../agent/types/index.ts';
import { type Asked, fakeGateway, type GatewayAnswer } from '../testing/fake-gateway.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { createOrganization } from './organization.ts';
import { PolicyUnknown } from './policy.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const SERVED = {
  organization: 'acme',
  revision: 3,
  producedAt: null,
  validFrom: null,
  validUntil: null,
  policy: { tools: { exclude: ['Bash'] }, commands: { location: 'gateway' } },
};

/** An organization whose gateway serves a policy and takes acts, unless a test says otherwise. */
async function world(answer: (asked: Asked) => GatewayAnswer | 'cut' | undefined = () => undefined) {
  const gateway = await fakeGateway(
    (asked) => answer(asked) ?? { status: 200, body: asked.method === 'GET' ? SERVED : {} },
  );
  const home = temporaryFolder();
  const organization = createOrganization({
    plane: { gateway: gateway.url, license: 'the.license', fetch },
    home,
    subject: 'casey',
    now: () => NOW,
    mask: (text) => text.replaceAll('S3CRET', '[masked]'),
  });
  const sent = () =>
    gateway.seen
      .filter(({ url }) => url === '/ide/acts')
      .flatMap(({ body }) => (JSON.parse(body) as { acts: Record<string, unknown>[] }).acts);
  return { gateway, home, organization, sent };
}
const act = (value: string, change: Partial<ActDetails> = {}): ActDetails => ({
  session: 's-1',
  tool: 'Bash',
  target: { kind: 'command', value },
  authorizedBy: 'human',
  outcome: 'succeeded',
  ...change,
});

describe('the policy of a session', () => {
  it('has the tools and the place of commands that the organization imposes', async () => {
    const { organization } = await world();
    expect(await organization.policy()).toEqual({
      source: 'gateway',
      revision: 3,
      document: SERVED.policy,
      tools: { exclude: ['Bash'] },
      commands: 'gateway',
      notice: null,
    });
  });

  it('imposes nothing outside its validity, and says so once', async () => {
    const { organization } = await world(() => ({
      status: 200,
      body: { ...SERVED, validUntil: '2026-06-01T00:00:00Z' },
    }));
    const expected = { source: 'gateway', revision: 3, document: null, tools: {}, commands: 'workstation' };
    expect(await organization.policy()).toEqual({
      ...expected,
      notice: 'The policy of your organization does not apply: it was valid until 2026-06-01T00:00:00Z.',
    });
    expect(await organization.policy()).toEqual({ ...expected, notice: null });
  });

  it('says again that a copy counts once the gateway answered between', async () => {
    let isCut = false;
    const { organization } = await world(() => (isCut ? 'cut' : undefined));
    const notices: (string | null)[] = [];
    for (isCut of [false, true, true, false, true]) notices.push((await organization.policy()).notice);
    expect(notices.map((notice) => notice !== null)).toEqual([false, true, false, false, true]);
  });

  it.each([401, 402, 403])(
    'that the gateway refuses with %i ends the session as a refused call does',
    async (status) => {
      const { organization } = await world(() => ({ status, body: { error: 'The license has expired.' } }));
      const read = organization.policy();
      await expect(read).rejects.toThrow(ModelRefused);
      await expect(read).rejects.toMatchObject({
        status,
        revoked: false,
        message: expect.stringContaining('The license has expired.') as string,
      });
    },
  );

  it.each<[string, GatewayAnswer | 'cut']>([
    ['does not answer', 'cut'],
    ['fails', { status: 500, body: { error: 'The database is down.' } }],
    ['answers with a page', { status: 200, body: '<html>' }],
    ['serves no policy', { status: 200, body: {} }],
    ['serves a list', { status: 200, body: [] }],
  ])('is unknown, which is no refusal of the license, where the gateway %s', async (_, answer) => {
    const { organization } = await world(() => answer);
    await expect(organization.policy()).rejects.toThrow(PolicyUnknown);
  });

  it.each(['', '{', 'null', '[]', '{"policy":7}', '{"policy":{"tools":{"forbid":[]}}}'])(
    'is unknown where the gateway does not answer and the copy is damaged, as %j',
    async (text) => {
      let isCut = false;
      const { organization, home } = await world(() => (isCut ? 'cut' : undefined));
      await organization.policy();
      const folder = join(home, '.gateway', 'organization');
      for (const name of readdirSync(folder)) writeFileSync(join(folder, name), text);
      isCut = true;
      await expect(organization.policy()).rejects.toThrow(/no copy of it is saved here/);
    },
  );

  it('is not that of another gateway', async () => {
    const { home, organization } = await world();
    await organization.policy();
    const other = await fakeGateway(() => 'cut');
    const elsewhere = createOrganization({
      plane: { gateway: other.url, license: 'l', fetch },
      home,
      subject: 's',
      now: () => NOW,
      mask: (text) => text,
    });
    await expect(elsewhere.policy()).rejects.toThrow(/no copy of it is saved here/);
  });
});

describe('the acts of a session', () => {
  it('reach the gateway in their order, with the subject, the time and no secret', async () => {
    const { organization, sent } = await world();
    organization.act(act('echo S3CRET'));
    organization.act(act('make', { parentSession: 's-0', outcome: 'failed' }));
    expect(await organization.flush()).toBeNull();
    expect(sent()).toMatchObject([
      { subject: 'casey', at: NOW.toISOString(), target: { kind: 'command', value: 'echo [masked]' } },
      { session: 's-1', parentSession: 's-0', outcome: 'failed', target: { value: 'make' } },
    ]);
  });

  it('are kept where the gateway does not answer, which is said, and delivered with the next', async () => {
    let isCut = true;
    const { organization, sent } = await world(() => (isCut ? 'cut' : undefined));
    organization.act(act('one'));
    expect(await organization.flush()).toMatch(
      /^Acts for the organization are kept on this machine and delivered later: .+ does not answer: /,
    );
    isCut = false;
    organization.act(act('two'));
    expect(await organization.flush()).toBeNull();
    const values = sent().map(({ target }) => (target as { value: string }).value);
    expect(values.slice(-2)).toEqual(['one', 'two']);
  });

  it('that cannot be kept are reported, and never stop the session', async () => {
    const { organization, home, sent } = await world();
    mkdirSync(join(home, '.gateway'));
    const inTheWay = join(home, '.gateway', 'acts');
    writeFileSync(inTheWay, '');
    organization.act(act('lost'));
    expect(await organization.flush()).toMatch(/^An act could not be kept for the organization: /);
    rmSync(inTheWay);
    organization.act(act('kept'));
    expect(await organization.flush()).toMatch(/^An act could not be kept/);
    expect(sent().map(({ target }) => (target as { value: string }).value)).toEqual(['kept']);
  });

  it('are all delivered where very many are made at once', async () => {
    const { organization, sent } = await world();
    for (let at = 0; at < 300; at += 1) organization.act(act(`command ${at}`));
    expect(await organization.flush()).toBeNull();
    expect(sent().map(({ target }) => (target as { value: string }).value)).toEqual(
      Array.from({ length: 300 }, (_, at) => `command ${at}`),
    );
    expect(new Set(sent().map(({ id }) => id)).size).toBe(300);
  });
});
