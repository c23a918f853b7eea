#!/usr/bin/env node
import { maskedText } from '@gateway/secrets';
import { readEnvironment } from './context/environment.ts';
import { written } from './context/standard-output.ts';
import { run } from './run.ts';

// A fault of standard output is reported by the write that met it; one of standard error is not reported.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2), readEnvironment(), {
  write: (text) => written(process.stdout, text),
  report: (text) => process.stderr.write(maskedText(text)),
  watched: process.stderr.isTTY,
  columns: process.stdout.isTTY ? process.stdout.columns : null,
});
