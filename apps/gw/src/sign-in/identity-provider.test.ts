import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeGateway } from '../testing/fake-gateway.ts';
import { connectProvider, readProviderAddress, scopesOf } from './identity-provider.ts';
import { directorySuite, type Reply } from './testing/directory.ts';

const directory = directorySuite();
const connect = (issuer = directory.issuer) => connectProvider({ issuer, clientId: 'gw' }, fetch);

describe('the identity provider that a gateway names', () => {
  it('is read without a proof of identity, below the gateway’s base address', async () => {
    const { url, seen } = await fakeGateway(() => ({
      status: 200,
      body: { issuer: 'https://directory.example', clientId: 'gw', more: true },
    }));
    expect(await readProviderAddress(`${url}/base`, fetch)).toEqual({
      issuer: 'https://directory.example',
      clientId: 'gw',
    });
    expect(seen).toEqual([{ method: 'GET', url: '/base/ide/identity-discovery', authorization: '', body: '' }]);
  });

  it.each<[string, number, unknown]>([
    ['a page', 200, '<html>Welcome</html>'],
    ['nothing', 200, ''],
    ['null', 200, null],
    ['no client', 200, { issuer: 'https://directory.example' }],
    ['an issuer that is no text', 200, { issuer: 1, clientId: 'gw' }],
    ['a redirection', 302, { issuer: 'https://directory.example', clientId: 'gw' }],
    ['an error', 500, { issuer: 'https://directory.example', clientId: 'gw' }],
  ])('is unknown where the address answers with %s: the message names address and status', async (_, status, body) => {
    const { url } = await fakeGateway(() => ({ status, body }));
    await expect(readProviderAddress(url, fetch)).rejects.toThrow(
      `${url}/ide/identity-discovery answered ${status}. Check the address of --gateway.`,
    );
  });

  it('is unknown where nothing answers, or the connection is closed', async () => {
    const cut = await fakeGateway(() => 'cut');
    await expect(readProviderAddress(cut.url, fetch)).rejects.toThrow(/ does not answer: .+\. Check the address/);
    cut.close();
    await expect(readProviderAddress(cut.url, fetch)).rejects.toThrow(/ does not answer: .*ECONNREFUSED.*\. Check/);
  });

  it('is unknown where the gateway takes the connection and says nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const patience = new AbortController();
    silent.once('connection', (socket) => {
      onTestFinished(() => void socket.destroy());
      patience.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    });
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
    const asked = readProviderAddress(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, fetch);
    await expect(asked.finally(() => timeout.mockRestore())).rejects.toThrow(
      /does not answer: The operation was aborted due to timeout\. Check the address of --gateway\.$/,
    );
  });
});

describe('the identity provider', () => {
  it.each(['http://directory.example', 'directory.example', '', 'file:///etc/passwd'])(
    'is not asked at the address %j',
    async (issuer) => {
      await expect(connect(issuer)).rejects.toThrow(`The identity provider ${issuer} has no https address.`);
    },
  );

  it.each<[string, () => Reply, RegExp]>([
    ['has no metadata', () => ({ status: 404, body: 'Not found' }), /cannot be used: /],
    ['answers with a page', () => ({ body: '<html>Sign in</html>' }), /cannot be used: /],
    [
      'says that it is another issuer',
      () => ({ body: { ...directory.metadata, issuer: 'https://another.example' } }),
      /cannot be used: .*issuer/,
    ],
    ['answers with a list', () => ({ body: [] }), /cannot be used: /],
    ['closes the connection', () => 'cut', /cannot be used: /],
  ])('that %s is named, with why it cannot be used', async (_, metadata, says) => {
    directory.on('/.well-known/openid-configuration', metadata);
    const connected = connect();
    await expect(connected).rejects.toThrow(`The identity provider ${directory.issuer} `);
    await expect(connected).rejects.toThrow(says);
    await expect(connected).rejects.not.toThrow('NODE_EXTRA_CA_CERTS');
  });

  it.each([
    [undefined, 'openid profile email offline_access'],
    [['openid', 'email', 'offline_access', 'phone'], 'openid email offline_access'],
    [['profile'], 'openid profile'],
    [[], 'openid'],
  ])('that supports the scopes %j is asked for %j', async (scopes, asked) => {
    if (scopes !== undefined) directory.metadata['scopes_supported'] = scopes;
    expect(scopesOf(await connect())).toBe(asked);
  });
});
