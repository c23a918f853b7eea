import { operatorLine } from '@gateway/secrets';
import { createEngine } from './server.ts';

// The demo engine as a program: node engine/main.ts PORT (0: a free one).
const server = createEngine();
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address)
    process.stdout.write(`demo engine listens on http://127.0.0.1:${address.port}\n`);
});
server.on('error', (error) => {
  process.stderr.write(`demo engine: ${operatorLine(error.message)}\n`);
  process.exit(1);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
