#!/usr/bin/env node
import { once } from 'node:events';
import { isatty } from 'node:tty';
import { readEnvironment } from './environment.ts';
import { reasonOf } from './fault.ts';
import { readMachine } from './machine.ts';
import { run } from './run.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0); // whoever read has read enough (`gw diagnose --output - | head`)
  process.stderr.write(`gw: standard output cannot be written: ${reasonOf(error)}\n`);
  process.exit(1);
});
process.stderr.on('error', () => undefined); // nobody is left to be told, and the exit code still says how it ended

process.exitCode = await run(process.argv.slice(2), {
  environment: readEnvironment(),
  machine: readMachine(),
  now: () => new Date(),
  terminal: {
    async write(text) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    },
    tell: (text) => {
      process.stderr.write(text);
    },
    input: isatty(0),
    output: isatty(1),
    error: isatty(2),
    columns: process.stdout.columns ?? null,
    rows: process.stdout.rows ?? null,
    colors: isatty(1) ? 2 ** process.stdout.getColorDepth() : 1,
  },
});
