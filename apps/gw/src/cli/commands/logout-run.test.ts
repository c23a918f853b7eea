import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../testing/world.ts';

const [GATEWAY, OTHER] = ['https://gateway.example', 'https://other.example'];

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const TOKEN = {
  kind: 'token',
  issuer: 'http://identity.example',
  clientId: 'gw',
  sends: 'idToken',
  idToken: 'THE-ID-TOKEN',
  accessToken: 'THE-ACCESS-TOKEN',
  refreshToken: 'THE-REFRESH-TOKEN',
  expiresAt: '2026-11-21T10:00:00.000Z',
};
const signedIn = (gateways: object): string =>
  world.write('home/casey/.gateway/credentials.json', JSON.stringify({ version: 1, gateways }));
const left = (): string[] =>
  Object.keys(
    (JSON.parse(readFileSync(join(world.home, '.gateway/credentials.json'), 'utf8')) as { gateways: object }).gateways,
  );

describe('gw logout', () => {
  it('deletes the tokens first, also where they cannot be revoked, and says why not', async () => {
    signedIn({ [GATEWAY]: TOKEN });
    const { code, out, err } = await world.gw(['logout', '--gateway', GATEWAY]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(
      `Signed out of ${GATEWAY}. The tokens are deleted here, but not revoked: The identity provider http://identity.example has no https address.\n`,
    );
    expect(left()).toEqual([]);
    expect(readFileSync(join(world.home, '.gateway/credentials.json'), 'utf8')).not.toContain('THE-');
  });

  it('leaves the sign-ins of other gateways', async () => {
    signedIn({ [GATEWAY]: TOKEN, [OTHER]: { kind: 'key', key: `gwk_${'0'.repeat(48)}` } });
    await world.gw(['logout', '--gateway', GATEWAY]);
    expect(left()).toEqual([OTHER]);
    expect((await world.gw(['logout', '--gateway', OTHER])).out).toBe(
      `Signed out of ${OTHER}. The account key is deleted here; it stays valid until an administrator revokes it.\n`,
    );
  });

  it('of nobody makes no file', async () => {
    const { code, out } = await world.gw(['logout', '--gateway', GATEWAY]);
    expect([code, out]).toEqual([0, `Nobody is signed in to ${GATEWAY}.\n`]);
    expect(existsSync(join(world.home, '.gateway/credentials.json'))).toBe(false);
  });

  it('changes nothing in a damaged file, and names it', async () => {
    const file = world.write('home/casey/.gateway/credentials.json', '{"version":1,"gate');
    const { code, out, err } = await world.gw(['logout', '--gateway', GATEWAY]);
    expect([code > 0, out, err.includes(file)], err).toEqual([true, '', true]);
    expect(readFileSync(file, 'utf8')).toBe('{"version":1,"gate');
  });

  it('needs a home directory and a gateway', async () => {
    expect(await world.gw(['logout', '--gateway', GATEWAY], { environment: { homeDirectory: null } })).toEqual({
      code: 1,
      out: '',
      err: 'gw: You have no home directory, so nobody is signed in. Set HOME.\n',
    });
    expect((await world.gw(['logout'])).err).toMatch(/^gw: No gateway is configured\. /);
  });
});
