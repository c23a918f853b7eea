import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Authority, createAuthority } from '@gateway/access/development-authority';
import type { CommandEvent } from '@gateway/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../testing/world.ts';
import { outputOf } from './testing/events.ts';
import { gone, processesWith, running, uniqueSleep } from './testing/processes.ts';

let authority: Authority;
let folder: string;
let world: World;
let session: ClientHttp2Session;

beforeAll(async () => {
  authority = createAuthority('authority of the service');
  folder = mkdtempSync(join(tmpdir(), 'gateway-commands-'));
  const { certificate, key } = authority.certify(['127.0.0.1']);
  writeFileSync(join(folder, 'cert.pem'), certificate);
  writeFileSync(join(folder, 'key.pem'), key);
  world = await startWorld({
    environment: {
      TLS_CERT_FILE: join(folder, 'cert.pem'),
      TLS_KEY_FILE: join(folder, 'key.pem'),
      GATEWAY_AGENT_LAUNCHER: 'process',
      GATEWAY_AGENT_WORKDIR: folder,
    },
  });
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  session = connect(world.gateway.address, { ca: authority.certificate });
  session.on('error', () => {});
});
afterEach(() => {
  session.destroy();
});

/** Asks for a command on a stream of the one session. */
function begin(script: string): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/_agent-execution/commands',
    authorization: `Bearer ${world.key}`,
  });
  stream.on('error', () => {});
  const words = { session: 'one', interpreteur: 'sh', arguments: ['-c', script], variablesSupplementaires: {} };
  stream.end(JSON.stringify(words));
  return stream;
}

async function read(stream: ClientHttp2Stream): Promise<CommandEvent[]> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += String(chunk);
  return text
    .trimEnd()
    .split('\n')
    .map((line): CommandEvent => JSON.parse(line));
}

describe('commands over HTTP/2', () => {
  it('pass their output on intact, also beside one whose caller does not read', async () => {
    const numbers = Array.from({ length: 300_000 }, (_, index) => `${index + 1}\n`).join('');
    const unread = begin('seq 1 300000');
    const all = await Promise.all([begin('seq 1 300000'), begin('seq 1 300000 >&2')].map(read));
    for (const [index, flux] of ['stdout', 'stderr'].entries()) {
      const events = all[index] ?? [];
      expect(outputOf(events, flux).toString()).toBe(numbers);
      expect(events.at(-1)).toMatchObject({ evenement: 'fin', code: 0 });
    }
    expect(outputOf(await read(unread), 'stdout').toString()).toBe(numbers);
  });
  it.each([constants.NGHTTP2_CANCEL, constants.NGHTTP2_NO_ERROR])(
    'end with their stream, reset with code %i, and not with another one of the connection',
    async (code) => {
      const [mine, other] = [uniqueSleep(), uniqueSleep()];
      const streams = [begin(`sleep ${mine}`), begin(`sleep ${other}`)];
      await Promise.all([running(`sleep\0${mine}`), running(`sleep\0${other}`)]);
      streams[0]?.close(code);
      await gone(mine);
      expect(processesWith(`sleep\0${other}`)).toHaveLength(1);
      session.destroy();
      await gone(other);
    },
  );
});
