import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import { openDocumentation } from '@gateway/documentation';
import { HELLO } from '../../testing/caller.ts';
import { startWorld } from '../../testing/world.ts';

interface Got {
  readonly status: number;
  readonly text: string;
  /** The code a broken answer ended with; 0: whole. */
  readonly code: number;
  readonly headers: Record<string, unknown>;
}

/** A gateway with a certificate and a manual of one page. */
export async function startTlsWorld() {
  const authority = createAuthority('authority of the service');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
  const sessions: ClientHttp2Session[] = [];
  const file = (name: string) => join(folder, name);

  /** Writes a certificate for the given name beside the two that the gateway reads. */
  function renew(name: string): void {
    const { certificate, key } = authority.certify([name, '127.0.0.1']);
    writeFileSync(file('cert.pem'), certificate);
    writeFileSync(file('key.pem'), key);
  }

  renew('first.example');
  mkdirSync(file('docs'));
  writeFileSync(file('docs/archive.json'), '{"version":"1.0.0","path":"/v/1.0.0"}');
  writeFileSync(file('docs/llms-full.txt'), '# Turbine (/turbine)\n\nThe turbine turns.');
  const documentation = await openDocumentation(file('docs'), () => {});
  if ('fault' in documentation) throw new Error(documentation.fault);
  const environment = { TLS_CERT_FILE: file('cert.pem'), TLS_KEY_FILE: file('key.pem') };
  const world = await startWorld({ environment, documentation });
  return {
    world,
    authority,
    environment,
    file,
    renew,
    /** A session of HTTP/2 with this gateway, or with another one that has the same certificate. */
    http2(address = world.gateway.address): ClientHttp2Session {
      const session = connect(address, { ca: authority.certificate });
      session.on('error', () => {});
      sessions.push(session);
      return session;
    },
    /** One call over HTTP/2, with its body in the parts given. */
    async call(
      session: ClientHttp2Session,
      path: string,
      more: OutgoingHttpHeaders = {},
      parts = [JSON.stringify(HELLO)],
    ): Promise<Got> {
      const authorization = `Bearer ${world.key}`;
      const stream = session.request({ ':method': 'POST', ':path': path, authorization, ...more });
      stream.on('error', () => {});
      for (const part of parts) stream.write(part);
      stream.end();
      let text = '';
      let headers: Record<string, unknown> = {};
      stream.on('response', (answered) => {
        headers = answered;
      });
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      await new Promise((resolve) => stream.once('close', resolve));
      return { status: Number(headers[':status'] ?? 0), text, code: stream.rstCode, headers };
    },
    endSessions(): void {
      for (const session of sessions.splice(0)) session.destroy();
    },
    async stop(): Promise<void> {
      await world.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type TlsWorld = Awaited<ReturnType<typeof startTlsWorld>>;
