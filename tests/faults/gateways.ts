import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/serverless/gateway.js', import.meta.url));
const CLOCK = new URL('shifted-clock.mjs', import.meta.url).href;

/** Gateway processes on one database, each with its own state directory. */
export interface Gateways {
  readonly count: number;
  /** Of the gateway with this number; the last known one while it is away. */
  port(number: number): number;
  pid(number: number): number;
  isRunning(number: number): boolean;
  /** Whether it ends by itself within this time. */
  endsWithin(number: number, milliseconds: number): Promise<boolean>;
  /** Sends SIGKILL, waits for the end and starts it again. */
  killAndRestart(number: number): Promise<void>;
  /** Starts it again where something else ended it. */
  restart(number: number): Promise<void>;
  /** Asks it to end (SIGTERM) and starts it again. Resolves with the exit code. */
  drainAndRestart(number: number): Promise<{ readonly code: number | null; readonly log: string }>;
  /** Sets its clock ten minutes ahead, or back again. */
  shiftClock(number: number): void;
  /** SIGKILLs so far, and starts after the first ones. */
  readonly counts: { kills: number; restarts: number };
  stop(): Promise<readonly (number | null)[]>;
}

export interface GatewayOptions {
  /** Address of a module that each gateway loads first. */
  readonly preload?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Gets what a gateway writes to its standard error. */
  readonly said?: (text: string) => void;
}

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  readonly ended: Promise<number | null>;
  /** What it wrote last to its standard error. */
  readonly log: () => string;
  isEnded: boolean;
}

async function start(
  folder: string,
  databaseUrl: string,
  { preload = CLOCK, environment = {}, said = () => {} }: GatewayOptions,
): Promise<Running> {
  const child = spawn(process.execPath, [PROGRAM], {
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: `--import=${preload}`,
      DATABASE_URL: databaseUrl,
      GATEWAY_STATE_DIR: folder,
      GATEWAY_DRAIN_SECONDS: '5',
      ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
      HOST: '127.0.0.1',
      PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4000);
    said(text);
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const line = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data').then(([text]) => String(text)),
    ended.then(() => ''),
  ]);
  const port = Number(/:(\d+)\s*$/.exec(line)?.[1]);
  if (!(port > 0)) throw new Error(`The gateway did not start: ${log}`);
  const running: Running = { child, port, ended, log: () => log, isEnded: false };
  child.once('close', () => {
    running.isEnded = true;
  });
  return running;
}

/**
 * @param databaseUrl of the service role; a gateway that starts while the database is away is started again until it listens
 */
export async function startGateways(
  count: number,
  folder: string,
  databaseUrl: string,
  options: GatewayOptions = {},
): Promise<Gateways> {
  const folders = Array.from({ length: count }, (_, number) => join(folder, `gateway-${number}`));
  const running = await Promise.all(folders.map((of) => start(of, databaseUrl, options)));
  const counts = { kills: 0, restarts: 0 };
  const at = (number: number): Running => running[number % count] as Running;
  async function restart(number: number): Promise<void> {
    await at(number).ended;
    for (let tries = 1; ; tries += 1) {
      try {
        running[number % count] = await start(folders[number % count] as string, databaseUrl, options);
        counts.restarts += 1;
        return;
      } catch (error) {
        if (tries === 20) throw error;
      }
    }
  }
  return {
    count,
    counts,
    port: (number) => at(number).port,
    pid: (number) => at(number).child.pid ?? 0,
    isRunning: (number) => !at(number).isEnded,
    async endsWithin(number, milliseconds) {
      let timer: NodeJS.Timeout | undefined;
      const waited = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      });
      await Promise.race([at(number).ended, waited]);
      clearTimeout(timer);
      return at(number).isEnded;
    },
    restart,
    async killAndRestart(number) {
      at(number).child.kill('SIGKILL');
      counts.kills += 1;
      await restart(number);
    },
    async drainAndRestart(number) {
      const { child, ended, log } = at(number);
      child.kill('SIGTERM');
      const code = await ended;
      await restart(number);
      return { code, log: log() };
    },
    shiftClock: (number) => at(number).child.kill('SIGUSR2'),
    stop() {
      for (const { child } of running) child.kill('SIGTERM');
      return Promise.all(running.map(({ ended }) => ended));
    },
  };
}
