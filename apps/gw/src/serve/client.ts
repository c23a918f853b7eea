import { readFile, rm } from 'node:fs/promises';
import * as http from 'node:http';
import { join } from 'node:path';
import { ownFolder, replaceFile } from '../files/replace.ts';
import type { Environment } from '../process/environment.ts';
import { CommandFailed, WrongUsage } from '../process/fault.ts';

/** A served session, as `gw remote` and `gw remote-test` reach it. */
export interface ServeClient {
  readonly url: string;
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Hands over every event of the session until the signal is aborted or the instance ends. */
  events(onEvent: (event: unknown) => void, onReady: () => void, signal: AbortSignal): Promise<void>;
}

const PATIENCE_MS = 10_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The instance at an address. Its token is GATEWAY_SERVE_TOKEN, else the one that `gw serve` stored for the port.
 * @throws WrongUsage for an address that is none or is not on this machine, CommandFailed without a token.
 */
export async function connectTo(environment: Environment, address: string): Promise<ServeClient> {
  const url = URL.parse(address);
  if (url === null || url.protocol !== 'http:' || !LOOPBACK.has(url.hostname))
    throw new WrongUsage(
      `--url must be the http address of an instance on this machine, not ${JSON.stringify(address)}.`,
    );
  const port = Number(url.port === '' ? 80 : url.port);
  const home = environment.homeDirectory;
  const token = environment.variables.get('GATEWAY_SERVE_TOKEN') ?? (home === null ? null : await tokenOf(home, port));
  const origin = `http://${url.hostname}:${port}`;
  if (token === null)
    throw new CommandFailed(
      `No token is known for ${origin}. Start gw serve --port ${port}, or set GATEWAY_SERVE_TOKEN.`,
    );

  function open(method: string, path: string, body: string | null, signal: AbortSignal): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      };
      const request = http.request(`${origin}${path}`, { method, headers, signal, agent: false }, resolve);
      request.on('error', (error) => {
        const why = signal.aborted ? `no answer within ${PATIENCE_MS / 1000} seconds` : error.message;
        reject(new CommandFailed(`${origin} does not answer: ${why}. Is gw serve running there?`));
      });
      request.end(body ?? undefined);
    });
  }

  return {
    url: origin,
    async ask(method, path, body) {
      const response = await open(
        method,
        path,
        body === undefined ? null : JSON.stringify(body),
        AbortSignal.timeout(PATIENCE_MS),
      );
      const chunks: Buffer[] = [];
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      const value = parse(text);
      if (value === null) throw new CommandFailed(`${origin} is not an instance of gw serve: its answer is not JSON.`);
      if (response.statusCode !== 200)
        throw new CommandFailed(`${origin} answered ${response.statusCode}: ${String(value['error'])}`);
      return value;
    },
    async events(onEvent, onReady, signal) {
      const response = await open('GET', '/events', null, signal);
      if (response.statusCode !== 200)
        throw new CommandFailed(`${origin} answered ${response.statusCode} to GET /events.`);
      onReady();
      const { eventData } = await import('../models/event-stream.ts');
      try {
        for await (const data of eventData(response)) {
          const event = parse(data);
          if (event !== null) onEvent(event);
        }
      } catch (error) {
        if (signal.aborted) throw error;
        throw new CommandFailed(`The connection to ${origin} was lost. Is gw serve still running there?`);
      }
    },
  };
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Where a served session is found, and what opens it. */
interface ServedSession {
  readonly url: string;
  readonly port: number;
  readonly session: string;
  readonly token: string;
}

function pathOf(home: string, port: number): string {
  return join(home, '.gateway', 'serve', `${port}.json`);
}

/** Writes `~/.gateway/serve/<port>.json`, which only the user can read. @returns its path. */
export async function keepToken(home: string, served: ServedSession): Promise<string> {
  const path = pathOf(home, served.port);
  await ownFolder(join(home, '.gateway', 'serve'));
  await replaceFile(path, `${JSON.stringify({ ...served, pid: process.pid })}\n`);
  return path;
}

export async function forgetToken(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** The token of the instance on a port; null if none is stored. */
async function tokenOf(home: string, port: number): Promise<string | null> {
  try {
    const { token } = JSON.parse(await readFile(pathOf(home, port), 'utf8')) as Partial<ServedSession>;
    return typeof token === 'string' ? token : null;
  } catch {
    return null;
  }
}
