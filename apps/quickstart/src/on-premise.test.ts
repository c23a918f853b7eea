import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenForBoth } from './identity-provider/provider.ts';
import { issuerOf } from './identity-provider/settings.ts';
import { establishIdentityProvider, SettingsDamaged } from './on-premise.ts';

const PERSON = { user: 'demo', password: 'p1', subject: 's', name: 'Demo', email: 'demo@x.example' };
const GIVEN = { port: 6004, clientId: 'gateway', redirectUris: ['http://127.0.0.1/callback'], people: [PERSON] };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'establish-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the demo identity provider', () => {
  it('keeps its keys and its authority from one start to the next', () => {
    const first = establishIdentityProvider(folder, GIVEN);
    const authority = readFileSync(first.authorityFile, 'utf8');
    const second = establishIdentityProvider(folder, { ...GIVEN, port: 7004, people: [{ ...PERSON, password: 'p2' }] });
    expect(second.settings).toEqual({ ...first.settings, port: 7004, people: [{ ...PERSON, password: 'p2' }] });
    expect(readFileSync(second.authorityFile, 'utf8')).toBe(authority);
    expect([issuerOf(first.settings), issuerOf(second.settings)]).toEqual([
      'https://127.0.0.1:6004',
      'https://127.0.0.1:7004',
    ]);
  });

  it('has settings that only their owner reads, and no key of the authority', () => {
    const { settingsFile, authorityFile } = establishIdentityProvider(folder, GIVEN);
    expect(statSync(settingsFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(authorityFile, 'utf8')).not.toContain('PRIVATE KEY');
    chmodSync(settingsFile, 0o600);
    expect(JSON.parse(readFileSync(settingsFile, 'utf8'))).toMatchObject(GIVEN);
  });

  it('is certified for this machine by its authority', () => {
    const { settings, authorityFile } = establishIdentityProvider(folder, GIVEN);
    const [certificate, authority] = [
      new X509Certificate(settings.certificate),
      new X509Certificate(readFileSync(authorityFile)),
    ];
    expect([certificate.checkIP('127.0.0.1'), certificate.checkHost('localhost')]).toEqual(['127.0.0.1', 'localhost']);
    expect([certificate.verify(authority.publicKey), certificate.checkIssued(authority)]).toEqual([true, true]);
    expect(certificate.checkHost('gateway.example')).toBeUndefined();
  });

  it('is established again as a whole if one of its files is missing', () => {
    const first = establishIdentityProvider(folder, GIVEN);
    unlinkSync(first.authorityFile);
    const second = establishIdentityProvider(folder, GIVEN);
    expect(existsSync(second.authorityFile)).toBe(true);
    expect(existsSync(`${second.settingsFile}.new`)).toBe(false);
    expect(second.settings.signingKey).not.toEqual(first.settings.signingKey);
    const authority = new X509Certificate(readFileSync(second.authorityFile));
    expect(new X509Certificate(second.settings.certificate).verify(authority.publicKey)).toBe(true);
  });

  it('does not start from damaged settings, and says which file to remove', () => {
    const { settingsFile } = establishIdentityProvider(folder, GIVEN);
    for (const content of ['', '{', '{}', 'null', '{"certificate":7}']) {
      writeFileSync(settingsFile, content);
      expect(() => establishIdentityProvider(folder, GIVEN)).toThrow(SettingsDamaged);
      expect(() => establishIdentityProvider(folder, GIVEN)).toThrow(`${settingsFile} is damaged. Remove it: `);
    }
  });
});

describe('its port', () => {
  it('serves HTTPS with its certificate, and plain HTTP to those who do not trust it', async () => {
    const { settings, authorityFile } = establishIdentityProvider(folder, GIVEN);
    const server = listenForBoth(async (asked, response) => {
      const body = await text(asked);
      response.end(`${'encrypted' in asked.socket ? 'https' : 'http'} ${asked.method} ${asked.url} ${body}`);
    }, settings).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const plain = await fetch(`http://127.0.0.1:${port}/a`, {
      method: 'POST',
      body: 'é'.repeat(3),
      headers: { connection: 'close' },
    });
    expect(await plain.text()).toBe('http POST /a ééé');
    const asked = request({ port, host: '127.0.0.1', path: '/b', ca: readFileSync(authorityFile), agent: false }).end();
    const [response] = await once(asked, 'response');
    expect(await text(response)).toBe('https GET /b ');
    server.close();
  });

  it('closes the connection of a caller whose request cannot be answered, and serves the next', async () => {
    const { settings } = establishIdentityProvider(folder, GIVEN);
    const server = listenForBoth(async (asked, response) => {
      if (asked.url === '/bad') throw new Error('no answer');
      response.end('good');
    }, settings).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(fetch(`${address}/bad`)).rejects.toThrow('fetch failed');
    expect(await (await fetch(`${address}/good`, { headers: { connection: 'close' } })).text()).toBe('good');
    server.close();
  });
});
