#!/usr/bin/env node
import { once } from 'node:events';
import { existsSync, fstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { run } from './cli/run.ts';
import type { Terminal } from './process/context.ts';
import { readEnvironment } from './process/environment.ts';
import { readMachine, watchStandardOutput } from './process/machine.ts';

/** Runs the command line of this process and sets its exit code. */
export async function main(): Promise<void> {
  const [args, environment] = [process.argv.slice(2), readEnvironment()];
  // Where the editor ends, `gw acp` closes its sessions first.
  if (args[0] !== 'acp') watchStandardOutput();
  keepCompiled(args, environment.homeDirectory);
  process.exitCode = await run(args, {
    environment,
    machine: readMachine(),
    now: () => new Date(),
    terminal: createTerminal(),
    interrupted: abortOnSignal,
  });
}

/** Commands that leave nothing behind, or are over before compiled code could help them. */
const WITHOUT_CACHE = new Set(['diagnose', '--help', '-h', '--version', '-V']);

/** Keeps what V8 compiled in the user's own folder, so that the next start need not compile it. */
function keepCompiled(args: readonly string[], home: string | null): void {
  if (home === null || args.some((word) => WITHOUT_CACHE.has(word))) return;
  const own = join(home, '.gateway');
  if (existsSync(own)) enableCompileCache(join(own, 'cache', 'compile'));
}

function createTerminal(): Terminal {
  return {
    async write(text) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    },
    report: (text) => {
      process.stderr.write(text);
    },
    readAll: readStandardInput,
    ask: askLine,
    readHidden: async () => (await import('./sign-in/hidden-input.ts')).readHidden(process.stdin),
    input: isatty(0),
    output: isatty(1),
    error: isatty(2),
    columns: process.stdout.columns ?? null,
    rows: process.stdout.rows ?? null,
    colors: isatty(1) ? 2 ** process.stdout.getColorDepth() : 1,
  };
}

async function askLine(question: string): Promise<string | null> {
  await dropTyped();
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = once(lines, 'close').then(() => null);
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}

/** Milliseconds in which what was typed before a question arrives. */
const TYPED_MS = 100;

/** Drops what was typed before a question appeared: it must not answer it. Without raw mode a part of a line would stay. */
async function dropTyped(): Promise<void> {
  const { stdin } = process;
  if (!stdin.isTTY) return;
  const drop = (typed: Uint8Array): void => {
    if (typed.includes(3)) process.kill(process.pid, 'SIGINT'); // Ctrl-C
  };
  stdin.setRawMode(true);
  stdin.on('data', drop);
  await pause(TYPED_MS);
  stdin.off('data', drop);
  stdin.pause();
  stdin.setRawMode(false);
}

/** Terminals and devices such as /dev/null have no input to read. */
async function readStandardInput(): Promise<string>;
async function readStandardInput(patienceMs: number): Promise<string | null>;
async function readStandardInput(patienceMs?: number): Promise<string | null> {
  try {
    if (isatty(0) || fstatSync(0).isCharacterDevice()) return '';
  } catch {
    return ''; // closed
  }
  if (patienceMs !== undefined && !(await hasInput(patienceMs))) {
    process.stdin.destroy();
    return null;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

/** Whether standard input brings something, or ends, in this time. */
async function hasInput(patienceMs: number): Promise<boolean> {
  const patience = AbortSignal.timeout(patienceMs);
  try {
    await Promise.race([
      once(process.stdin, 'readable', { signal: patience }),
      once(process.stdin, 'end', { signal: patience }),
    ]);
    return true;
  } catch (error) {
    if (patience.aborted) return false;
    throw error;
  }
}

let signal: AbortSignal | null = null;
function abortOnSignal(): AbortSignal {
  if (signal !== null) return signal;
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      // The second signal ends the process at once, even if it waits for something.
      if (controller.signal.aborted) process.exit(130);
      controller.abort(new Error(name));
    });
  signal = controller.signal;
  return signal;
}

// `node apps/gw/src/main.ts` runs the sources.
if (import.meta.main) await main();
