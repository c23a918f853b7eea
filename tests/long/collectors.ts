import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

/** Where the gateway sends its logs and metrics during the day. */
export interface Collectors {
  readonly logUrl: string;
  readonly metricsUrl: string;
  /** Identifiers of the entries that arrived by the log export. */
  readonly entries: ReadonlySet<string>;
  /** When metrics arrived, on the clock of `performance.now()`. */
  readonly metricsAt: readonly number[];
  close(): Promise<void>;
}

/** The identifier of an entry in a message of the log export; the text may come in pieces. */
const ENTRY = /"uid":"([0-9a-f-]{36})"/g;
const LONGEST = 50;

export async function startCollectors(): Promise<Collectors> {
  const entries = new Set<string>();
  const metricsAt: number[] = [];
  const logs = createServer((socket) => {
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const whole = rest + text;
      for (const [, id = ''] of whole.matchAll(ENTRY)) entries.add(id);
      rest = whole.slice(-LONGEST);
    });
    socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  const metrics = createHttpServer((request, response) => {
    metricsAt.push(performance.now());
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  }).listen(0, '127.0.0.1');
  await Promise.all([once(logs, 'listening'), once(metrics, 'listening')]);
  return {
    logUrl: `syslog+tcp://127.0.0.1:${(logs.address() as AddressInfo).port}`,
    metricsUrl: `http://127.0.0.1:${(metrics.address() as AddressInfo).port}/v1/metrics`,
    entries,
    metricsAt,
    async close() {
      logs.close();
      metrics.close();
      metrics.closeAllConnections();
      await once(metrics, 'close');
    },
  };
}
