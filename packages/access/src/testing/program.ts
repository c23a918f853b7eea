import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program that a test can stop and start again. */
export interface TestProgram {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A program that writes `listening` once it serves.
 * @param settings its one argument, called again at every start
 */
export function testProgram(file: URL, settings: () => object): TestProgram {
  let child: ChildProcess | null = null;
  return {
    async start() {
      const words = [file.pathname, JSON.stringify(settings())];
      child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
      const said = await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), once(child, 'exit')]);
      if (!String(said[0]).startsWith('listening'))
        throw new Error(`${file.pathname} did not start: ${String(said[0])}`);
    },
    async stop() {
      if (!child) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      child = null;
      await gone;
    },
  };
}
