import { createServer } from 'node:net';
import { compare } from '../../compare.ts';
import { ratio } from '../../measures/figures.ts';

const SCANNED = 'scanned';
const NOT_SCANNED = 'not scanned';
const EXPORTED = 'scanned, logs exported';

/** A collector that takes everything and keeps nothing. */
const collector = createServer((socket) => socket.resume().on('error', () => socket.destroy()));
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
const address = collector.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
const unscanned = new URL('unscanned.mjs', import.meta.url);

try {
  await compare({
    script: 'bench:inspection',
    measures: 'Measures what scanning a body and its answer of 1 kB costs the relayed call, and exporting the logs.',
    gateways: new Map([
      [NOT_SCANNED, ['--env', `NODE_OPTIONS=--import=${unscanned.href}`]],
      [SCANNED, []],
      [EXPORTED, ['--env', `GATEWAY_LOG_EXPORT_URL=syslog+tcp://127.0.0.1:${port}`]],
    ]),
    against: [NOT_SCANNED, SCANNED],
    callers: '1,16,64',
    kept: 'kept',
    figures: (rounds) => ({
      scanning: ratio(rounds, SCANNED, NOT_SCANNED),
      export: ratio(rounds, EXPORTED, SCANNED),
    }),
  });
} finally {
  collector.close();
}
