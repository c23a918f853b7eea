import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Dependencies, ROOT } from './dependencies.ts';

/** Where `site/build/main.ts` leaves the manual as an unpacked documentation archive. */
const MANUAL = join(ROOT, 'dist', 'manual');

/**
 * The folder of the documentation that the gateway is to serve: the one that was named, none with `--bare`, else the
 * product's own manual, built where its pages changed (client-31). A manual that cannot be built stops no start.
 */
export async function documentationFolder({
  options,
  environment,
  print,
  signal,
}: Dependencies): Promise<string | null> {
  if (options.docs !== null) return options.docs;
  if (options.bare) return null;
  const child = spawn(process.execPath, ['site/build/main.ts', '--when-changed'], {
    cwd: ROOT,
    // The generator logs every page; one line that the manual is being built is enough.
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment.machine,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (text.startsWith('Building ')) print(text.slice(0, text.indexOf('\n')));
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return MANUAL;
  if (signal.aborted) return null; // Ctrl-C cut it short
  print(`The manual could not be built, so no documentation is served: ${said.trim().split('\n').at(-1) ?? ''}`);
  return null;
}
