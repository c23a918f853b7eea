import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declareChat, keyOf, startDatabase } from '../faults/database.ts';
import { startGateways } from '../faults/gateways.ts';

/** A request as it reached the engine. */
export interface Relayed {
  readonly url: string;
  readonly host: string;
  /** Names and values, one after the other. */
  readonly headers: string;
}

/** A gateway process with a database and an engine, and raw sockets to it. */
export interface WireWorld {
  readonly key: string;
  readonly engineHost: string;
  /** What reached the engine since the last look. */
  takeRelayed(): readonly Relayed[];
  /**
   * Writes the pieces to a new connection, and resolves with the response once it is closed.
   * @param silenceMs it is closed after this time without data
   */
  send(pieces: readonly Uint8Array[], silenceMs?: number): Promise<string>;
  /** Decisions that granted a call. */
  granted(): Promise<number>;
  isRunning(): boolean;
  heldBytes(): Promise<number>;
  close(): Promise<void>;
}

const PRELOAD = new URL('held-memory.mjs', import.meta.url).href;
/** Limit for a connection that the gateway keeps open although the client closed its end. */
const PATIENCE_MS = 3000;
/** No answer comes any more to a request that is not whole. */
const SILENCE_MS = 100;
const ANSWER = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Hello.' } }] });

export async function startWireWorld(): Promise<WireWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-fuzz-wire-'));
  const relayed: Relayed[] = [];
  const engine = createServer((request: IncomingMessage, response) => {
    const { url = '', headers, rawHeaders } = request;
    relayed.push({ url, host: headers.host ?? '', headers: rawHeaders.join('\n') });
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER));
    request.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const engineHost = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const database = await startDatabase();
  await database.asOwner((sql) => declareChat(sql, `http://${engineHost}/base`));
  const gateways = await startGateways(1, folder, database.gatewayUrl, { preload: PRELOAD });
  const heldFile = join(folder, 'gateway-0.held');

  return {
    key: keyOf('caller'),
    engineHost,
    takeRelayed: () => relayed.splice(0),
    send: (pieces, silenceMs = SILENCE_MS) =>
      new Promise((resolve) => {
        const socket = connect({ port: gateways.port(0), host: '127.0.0.1', noDelay: true });
        let text = '';
        const patience = setTimeout(() => socket.destroy(), PATIENCE_MS + silenceMs);
        // The gateway treats a half-closed connection as a caller that left: close it only after an answer, or when none will
        // come.
        let silence = setTimeout(() => socket.end(), silenceMs);
        socket.setEncoding('latin1').on('data', (part: string) => {
          text += part;
          clearTimeout(silence);
          silence = setTimeout(() => socket.end(), text.endsWith('}') ? 0 : silenceMs);
        });
        socket.on('error', () => {}); // a refused request is answered and its connection reset
        socket.once('close', () => {
          clearTimeout(patience);
          clearTimeout(silence);
          resolve(text);
        });
        for (const piece of pieces) socket.write(piece);
      }),
    granted: () =>
      database.asOwner(async (sql) => {
        const [row] = await sql<{ count: number }[]>`
          select count(*)::int as count from authorization_decisions where outcome = 'granted'`;
        return row?.count ?? 0;
      }),
    isRunning: () => gateways.isRunning(0),
    async heldBytes() {
      rmSync(heldFile, { force: true });
      process.kill(gateways.pid(0), 'SIGUSR2');
      while (!existsSync(heldFile)) {
        if (!gateways.isRunning(0)) throw new Error('The gateway ended.');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return Number(readFileSync(heldFile, 'utf8'));
    },
    async close() {
      await gateways.stop();
      engine.close();
      engine.closeAllConnections();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
