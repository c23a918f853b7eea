import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Authority, type Certificate, createAuthority } from './development-authority.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** The result of a client that trusts one authority at a server with this certificate: the status, or the error's code. */
async function visit(shown: Certificate, trusted: Authority, host = '127.0.0.1'): Promise<number | string> {
  const server = createServer({ cert: shown.certificate, key: shown.key }, (_, response) => response.end('ok'));
  open.push(server.listen(0, host === '::1' ? '::1' : '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const lookup = { host, port, ca: trusted.certificate, agent: false };
    get(lookup, (response) => resolve(response.resume().statusCode ?? 0)).once(
      'error',
      (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message),
    );
  });
}

describe('an authority of one’s own', () => {
  it('certifies names and addresses that a client accepts', async () => {
    const authority = createAuthority('authority of the test');
    const shown = authority.certify(['localhost', '127.0.0.1', '::1']);
    expect(await visit(shown, authority)).toBe(200);
    expect(await visit(shown, authority, 'localhost')).toBe(200);
  });
  it('is not accepted as another of the same name', async () => {
    const shown = createAuthority('twin').certify(['127.0.0.1']);
    expect(await visit(shown, createAuthority('twin'))).toMatch(/UNABLE_TO_VERIFY|SIGNATURE|SELF_SIGNED/);
  });
  it('does not certify a name that was not requested', async () => {
    const authority = createAuthority('authority of the test');
    expect(await visit(authority.certify(['elsewhere.example']), authority)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  });
  it('can certify a period in the past', async () => {
    const authority = createAuthority('authority of the test');
    expect(await visit(authority.certify(['127.0.0.1'], { days: -1 }), authority)).toBe('CERT_HAS_EXPIRED');
  });
  it('writes what the platform reads back', () => {
    const authority = createAuthority('Autorité "é"');
    const own = new X509Certificate(authority.certificate);
    const leaf = new X509Certificate(authority.certify(['a.example', '10.0.0.1', '2001:db8::1']).certificate);
    expect(own.ca).toBe(true);
    expect(own.verify(own.publicKey)).toBe(true);
    expect(leaf.ca).toBe(false);
    expect(leaf.checkIssued(own)).toBe(true);
    expect(leaf.verify(own.publicKey)).toBe(true);
    expect(leaf.subjectAltName).toBe('DNS:a.example, IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1');
    expect(own.subject).toContain('Autorité');
  });
});
