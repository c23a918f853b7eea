import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createTestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callersOf } from './callers.ts';
import { runCommand } from './command.ts';

let answer: (response: ServerResponse) => void = (response) => response.end();
interface Asked {
  readonly authorization: string | undefined;
  readonly url: string | undefined;
  readonly body: { readonly session: string };
}
const asked: Asked[] = [];
async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await json(request)) as Asked['body'];
  asked.push({ authorization: request.headers.authorization, url: request.url, body });
  answer(response);
}
const server = createServer((request, response) => {
  take(request, response).catch(() => response.destroy());
});
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const line = (event: object): string => `${JSON.stringify(event)}\n`;
const output = (text: string): string => line({ evenement: 'sortie', donnees: Buffer.from(text).toString('base64') });

describe('a command that is measured', () => {
  it('is run in a session of its own, with the key of its caller', async () => {
    answer = (response) => response.end(line({ evenement: 'fin', code: 0 }));
    await runCommand(port, 'gwk_one', 'echo x');
    await runCommand(port, 'gwk_two', 'echo y');
    const [first, second] = asked.slice(-2);
    expect(first).toMatchObject({
      authorization: 'Bearer gwk_one',
      url: '/_agent-execution/commands',
      body: { interpreteur: 'sh', arguments: ['-c', 'echo x'] },
    });
    expect(first?.body.session).not.toBe(second?.body.session);
  });

  it('has the bytes of its output, decoded, and its code', async () => {
    answer = (response) => {
      const [whole, rest] = [output('hello '), output('wörld')];
      response.write(whole + rest.slice(0, 10));
      response.end(`${rest.slice(10)}${line({ evenement: 'fin', code: 3 })}`);
    };
    const { bytes, code, firstByteMs } = await runCommand(port, 'k', 'x');
    expect([bytes, code]).toEqual([12, 3]);
    expect(firstByteMs).toBeGreaterThan(0);
  });

  it('has no first byte without output, and no code where it did not end', async () => {
    answer = (response) => response.end(line({ evenement: 'debut' }));
    expect(await runCommand(port, 'k', 'true')).toEqual({ firstByteMs: Number.NaN, bytes: 0, code: null });
  });

  it('is read only from when its caller begins to read', async () => {
    answer = (response) => response.end(output('x') + line({ evenement: 'fin', code: 0 }));
    let release: () => void = () => undefined;
    let settled = false;
    const held = new Promise<void>((done) => {
      release = done;
    });
    const run = runCommand(port, 'k', 'x', held).then((measured) => {
      settled = true;
      return measured;
    });
    await once(server, 'request');
    await new Promise((done) => {
      setImmediate(done);
    });
    expect(settled).toBe(false);
    release();
    expect(await run).toMatchObject({ bytes: 1, code: 0 });
  });

  it('fails with the status of a refusal', async () => {
    answer = (response) => response.writeHead(403).end();
    await expect(runCommand(port, 'k', 'x')).rejects.toThrow('a command was answered 403');
  });
});

it('callers are new subjects with keys that the gateway knows, and may run commands', async () => {
  const database = await createTestDatabase();
  const keys = await callersOf(database.ownerUrl, 3);
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) {
    const rows = await database.sql`
      select held.role from account_keys key join accounts account on account.id = key.account_id
      join role_assignments held on held.subject = account.username
      where key.digest = sha256(${key}::bytea) and key.last_four = ${key.slice(-4)}`;
    expect(rows).toEqual([{ role: 'utilisateur-standard' }]);
  }
  await database.drop();
});
