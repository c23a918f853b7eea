import { readFileSync } from 'node:fs';
import { operatorLine } from '@gateway/secrets';
import { createIdentityProvider, listenForBoth } from './provider.ts';
import { IDENTITY_PROVIDER_SETTINGS, issuerOf } from './settings.ts';

// The demo identity provider as a program: node identity-provider/main.ts SETTINGS.json
const settings = IDENTITY_PROVIDER_SETTINGS.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const server = listenForBoth(createIdentityProvider(settings), settings);
server.listen(settings.port, '127.0.0.1', () => {
  process.stdout.write(`demo identity provider listens on ${issuerOf(settings)}\n`);
});
server.on('error', (error) => {
  process.stderr.write(`demo identity provider: ${operatorLine(error.message)}\n`);
  process.exit(1);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
