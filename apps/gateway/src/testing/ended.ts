import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The built programs, which start in a quarter of the time that the sources take. The tests' global set-up builds them. */
const BUILT = join(import.meta.dirname, '../../../../dist');

/** How a program ended, and its output. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  /** Of standard error, without empty ones. */
  readonly lines: readonly string[];
}

/** An environment in a test's notation: `undefined` removes a variable. */
export type Given = Readonly<Record<string, string | undefined>>;

/** The program of a profile, with nothing in its environment that the test does not name. */
export function spawnGateway(environment: Given, words: readonly string[] = [], profile = 'serverless') {
  const env = Object.fromEntries(
    Object.entries({ PATH: process.env['PATH'], GATEWAY_LOG_FORMAT: 'plain', ...environment }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    ),
  );
  return spawn(process.execPath, [join(BUILT, profile, 'gateway.js'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the program to its end. */
export function runGateway(...given: Parameters<typeof spawnGateway>): Promise<Ended> {
  const child = spawnGateway(...given);
  let [out, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, out, lines: said.split('\n').filter((line) => line !== '') }));
  });
}
