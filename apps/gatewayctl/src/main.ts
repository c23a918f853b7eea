#!/usr/bin/env node
import { maskText } from '@gateway/secrets';
import { readEnvironment } from './context/environment.ts';
import { writeTo } from './context/progress.ts';
import { run } from './run.ts';

// A fault of standard output is reported by the write that met it; one of standard error is not reported.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2), readEnvironment(), {
  write: (text) => writeTo(process.stdout, text),
  report: (text) => process.stderr.write(maskText(text)),
  watched: process.stderr.isTTY,
  columns: process.stdout.isTTY ? process.stdout.columns : null,
});
