import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { p50, ratio, throughput, typical } from '../../figures.ts';
import { startLoad } from '../../load/load.ts';
import { type Gateway, gateway } from '../../peers/gateway.ts';
import { startProgram } from '../../program.ts';
import { number, table } from '../../report.ts';
import { interleave, warmUp } from '../../rounds.ts';

/**
 * `npm run bench:inspection`: what it costs the relayed call that its body of 1 kB and its answer are scanned, and that
 * the logs are exported, in interleaved rounds of three gateways.
 */
const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    milliseconds: { type: 'string', default: '1500' },
    callers: { type: 'string', default: '1,16,64' },
  },
});
const [rounds, milliseconds] = [Number(values.rounds), Number(values.milliseconds)];

const SCANNED = 'scanned';
const NOT_SCANNED = 'not scanned';
const EXPORTED = 'scanned, logs exported';

/** A collector that takes everything and keeps nothing. */
const collector = createServer((socket) => socket.resume().on('error', () => socket.destroy()));
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
const address = collector.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;

const engine = await startProgram(new URL('../../engine.ts', import.meta.url));
const load = startLoad();
const peers: Gateway[] = [];
try {
  const unscanned = new URL('unscanned.mjs', import.meta.url);
  for (const [name, variable] of [
    [NOT_SCANNED, `NODE_OPTIONS=--import=${unscanned.href}`],
    [SCANNED, 'TZ=UTC'],
    [EXPORTED, `GATEWAY_LOG_EXPORT_URL=syslog+tcp://127.0.0.1:${port}`],
  ] as const) {
    peers.push(await gateway(name, engine.url, ['--env', variable]));
  }
  for (const peer of peers) await warmUp(load, peer);
  const kept: Record<string, { readonly scanning: number; readonly export: number }> = {};
  for (const callers of values.callers.split(',').map(Number)) {
    const outcomes = await interleave(load, peers, rounds, (target) => ({
      target,
      answer: 'plain',
      milliseconds,
      arrival: 'closed',
      callers,
    }));
    kept[callers] = { scanning: ratio(outcomes, SCANNED, NOT_SCANNED), export: ratio(outcomes, EXPORTED, SCANNED) };
    const rows = peers.map(({ name }) => [
      name,
      number(typical(outcomes, name, throughput), 0),
      number(ratio(outcomes, name, NOT_SCANNED)),
      number(ratio(outcomes, name, SCANNED)),
      number(typical(outcomes, name, p50)),
    ]);
    const head = ['', 'calls/s', '÷ not scanned', '÷ scanned', 'p50 ms'];
    process.stdout.write(`${table(`${callers} callers`, head, rows)}\n`);
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ kept }, null, 2)}\n`);
} finally {
  load.stop();
  await Promise.all(peers.map((peer) => peer.stop()));
  engine.child.kill();
  collector.close();
}
