import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import { migrate, parseDatabaseAddress, whyUnanswered, withPool } from '@gateway/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@gateway/database/embedded';
import { startFaultProxy } from '@gateway/database/testing';
import { createRelayFactsReader } from '@gateway/domain/call/reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The connection to a database on another machine: its certificate is always verified, and nothing falls back to plain text. */
const authority = createAuthority('authority of the test');
const stranger = createAuthority('another authority');
const directory = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
const running: EmbeddedPostgres[] = [];

async function start(name: string, settings: Record<string, string>): Promise<string> {
  const server = await startEmbeddedPostgres({ directory: join(directory, name), port: 0, durable: false, settings });
  running.push(server);
  return server.ownerUrl;
}

/** The server reads its key as its own user, which is not root. */
function certificateFiles(name: string, names: readonly string[]): Record<string, string> {
  const { certificate, key } = authority.certify(names);
  const files = { ssl_cert_file: join(directory, `${name}.pem`), ssl_key_file: join(directory, `${name}-key.pem`) };
  writeFileSync(files.ssl_cert_file, certificate);
  writeFileSync(files.ssl_key_file, key, { mode: 0o600 });
  if (process.getuid?.() === 0) chownSync(files.ssl_key_file, 65534, 65534);
  return { ssl: 'on', ...files };
}

let encrypted: string;
let plain: string;
beforeAll(async () => {
  chmodSync(directory, 0o711);
  encrypted = await start('encrypted', certificateFiles('encrypted', ['localhost', '127.0.0.1']));
  plain = await start('plain', {});
});
afterAll(async () => {
  for (const server of running) await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

function isEncrypted(url: string, ca: string): Promise<unknown> {
  return withPool(parseDatabaseAddress(url, { ca }), { max: 1, connectSeconds: 60 }, async (sql) => {
    const [row] = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row?.['ssl'];
  });
}

describe('a database connection with TLS', () => {
  it.each(['127.0.0.1', 'localhost'])('is encrypted and verified for %s', async (hostname) => {
    const url = Object.assign(new URL(encrypted), { hostname }).href;
    expect(await isEncrypted(url, authority.certificate)).toBe(true);
  });

  it('is refused for a certificate of another authority', async () => {
    await expect(isEncrypted(encrypted, stranger.certificate)).rejects.toThrow(/certificate|issuer|signature/i);
  });

  it('names the variable for the authority', async () => {
    const stop = await isEncrypted(encrypted, stranger.certificate).catch((error: unknown) => whyUnanswered(error));
    expect(stop).toMatch(/name that authority in DATABASE_CA_CERT_PATH$/);
  });

  it('is refused for a certificate of another host', async () => {
    const other = await start('other', certificateFiles('other', ['db.example.org']));
    await expect(isEncrypted(other, authority.certificate)).rejects.toThrow(/does not match certificate/);
  });

  it('is refused by a server without TLS, and never falls back to plain text', async () => {
    await expect(isEncrypted(plain, authority.certificate)).rejects.toThrow(/SSL|TLS|socket|record|connection/i);
  });

  it('applies to the relay’s own connections', async () => {
    const reader = (url: string, ca: string) =>
      createRelayFactsReader({
        address: parseDatabaseAddress(url, { ca }),
        billing: false,
        organization: null,
        budgetMs: 30_000,
      });
    const good = reader(encrypted, authority.certificate);
    await expect(good.activeEndpointNames()).rejects.toThrow(/relation "endpoints" does not exist/); // it got that far
    const bad = reader(encrypted, stranger.certificate);
    await expect(bad.activeEndpointNames()).rejects.toThrow(/certificate|issuer|signature/i);
    const unencrypted = reader(plain, authority.certificate);
    await expect(unencrypted.activeEndpointNames()).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    for (const one of [good, bad, unencrypted]) one.close();
  });

  it('refuses a call with an incomplete answer, cut or stalled at any position, and serves the next', async () => {
    const ca = authority.certificate;
    await migrate(parseDatabaseAddress(encrypted, { ca }));
    const proxy = await startFaultProxy(encrypted);
    const address = parseDatabaseAddress(proxy.through(encrypted), { ca });
    const open = () => createRelayFactsReader({ address, billing: false, organization: null, budgetMs: 30_000 });
    /** A lost connection is opened again until the deadline. */
    const soon = () => performance.now() + 40;
    const kept = open();
    proxy.cutAfter(null);
    expect(await kept.activeEndpointNames()).toEqual([]);
    const made = proxy.replied();
    proxy.cutAfter(null);
    await kept.activeEndpointNames();
    const answered = proxy.replied();
    for (let bytes = 0; bytes < answered; bytes += 1) {
      proxy.cutAfter(bytes);
      await expect(kept.activeEndpointNames(soon())).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
      proxy.cutAfter(null);
      expect(await kept.activeEndpointNames()).toEqual([]);
    }
    kept.close();
    // A signature of the handshake is some bytes shorter at times: the last bytes are left out.
    for (let bytes = 0; bytes < made - answered; bytes += 97) {
      for (const fault of ['cutAfter', 'silentAfter'] as const) {
        const fresh = open();
        proxy[fault](bytes);
        await expect(fresh.activeEndpointNames(soon())).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
        proxy.cutAfter(null);
        expect(await fresh.activeEndpointNames()).toEqual([]);
        fresh.close();
      }
    }
    await proxy.close();
  });
});
