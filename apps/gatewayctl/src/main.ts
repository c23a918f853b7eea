#!/usr/bin/env node
import { once } from 'node:events';
import { maskedText } from '@gateway/secrets';
import { readEnvironment } from './environment.ts';
import { run } from './run.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0); // whoever read has read enough (`gatewayctl journal export | head`)
});

process.exitCode = await run(process.argv.slice(2), readEnvironment(), {
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  tell: (text) => process.stderr.write(maskedText(text)),
  watched: process.stderr.isTTY,
});
