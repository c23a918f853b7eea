import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { keyOf } from '../faults/database.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/serverless/gateway.js', import.meta.url));
const ANSWER = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Hello.' } }] });

/** An engine that says hello. */
export async function startEngine(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A gateway process. */
export interface Service {
  /** Makes this many calls, one after the other, each once the gateway serves. */
  call(count: number): Promise<void>;
  /** Resolves with the line of its error output that contains this text. */
  says(text: string): Promise<string>;
  stop(): Promise<void>;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function startService(databaseUrl: string, stateDirectory: string): Promise<Service> {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      GATEWAY_STATE_DIR: stateDirectory,
      ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
      HOST: '127.0.0.1',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'close');
  const first = once((child.stdout as NodeJS.ReadableStream).setEncoding('utf8'), 'data').then(([text]) =>
    String(text),
  );
  const port = Number(/:(\d+)\s*$/.exec(await Promise.race([first, ended.then(() => '')]))?.[1]);
  if (!(port > 0)) throw new Error(`The gateway did not start: ${log}`);
  const callOnce = async (): Promise<boolean> => {
    const response = await fetch(`http://127.0.0.1:${port}/chat/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('caller')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'any', messages: [] }),
    });
    await response.arrayBuffer();
    return response.status === 200;
  };
  return {
    async call(count) {
      for (let served = 0; served < count; ) {
        if (await callOnce()) served += 1;
        else await pause(200);
      }
    },
    async says(text) {
      for (;;) {
        const line = log.split('\n').find((one) => one.includes(text));
        if (line !== undefined) return line;
        if (child.exitCode !== null) throw new Error(`The gateway ended: ${log}`);
        await pause(50);
      }
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
