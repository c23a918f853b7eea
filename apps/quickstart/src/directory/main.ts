import { readFileSync } from 'node:fs';
import { operatorLine } from '@gateway/secrets';
import { listenForBoth } from './listen.ts';
import { createDirectory } from './provider.ts';
import { DIRECTORY_SETTINGS, issuerOf } from './settings.ts';

// The demo directory as a program: node directory/main.ts SETTINGS.json
const settings = DIRECTORY_SETTINGS.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const server = listenForBoth(createDirectory(settings), settings);
server.listen(settings.port, '127.0.0.1', () => {
  process.stdout.write(`demo directory listens on ${issuerOf(settings)}\n`);
});
server.on('error', (error) => {
  process.stderr.write(`demo directory: ${operatorLine(error.message)}\n`);
  process.exit(1);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
