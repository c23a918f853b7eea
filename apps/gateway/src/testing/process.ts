import { once } from 'node:events';
import { spawnGateway } from './ended.ts';

/** A gateway in its own process: the real program, so that it can be killed. */
export interface GatewayProcess {
  readonly pid: number;
  readonly port: number;
  /** Its standard error so far. */
  said(): string;
  signal(name: NodeJS.Signals): void;
  /** The reader of its output closes the pipe. */
  deafen(): void;
  /** Exit code, or null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts the hosted program and waits until it listens. */
export async function startProcess(environment: Record<string, string>): Promise<GatewayProcess> {
  const child = spawnGateway({
    ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
    HOST: '127.0.0.1',
    PORT: '0',
    ...environment,
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const listening = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
  });
  const line = await Promise.race([listening, ended.then(() => '')]);
  const port = Number(/:(\d+)\s*$/.exec(line)?.[1]);
  if (!(port > 0)) throw new Error(`the gateway did not start: ${line}${text}`);
  return {
    pid: child.pid ?? 0,
    port,
    said: () => text,
    signal: (name) => child.kill(name),
    deafen() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    ended,
  };
}
