import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Authority, createAuthority } from '@gateway/access/development-authority';
import { onFreePort } from '@gateway/database/embedded';

/** What `directory-program.ts` is told. */
export interface DirectorySettings {
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  readonly redirectUris: string[];
}

/** A real directory that a test can stop and start again. Anybody may sign in, under any name. */
export interface TestDirectory {
  readonly issuer: string;
  readonly authority: Authority;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A directory on a free port, whose clients `console` and `confidential` may come back to one address. */
export function startDirectory(redirectUri: string): Promise<TestDirectory> {
  return onFreePort((port) => startOn(port, redirectUri));
}

async function startOn(port: number, redirectUri: string): Promise<TestDirectory> {
  const authority = createAuthority('authority of the directory');
  const { certificate, key } = authority.certify(['127.0.0.1']);
  const settings: DirectorySettings = { port, certificate, key, redirectUris: [redirectUri] };
  let child: ChildProcess | null = null;
  const directory: TestDirectory = {
    issuer: `https://127.0.0.1:${port}`,
    authority,
    async start() {
      const program = new URL('./directory-program.ts', import.meta.url).pathname;
      child = spawn(process.execPath, [program, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'ignore'] });
      const said = await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), once(child, 'exit')]);
      if (!String(said[0]).startsWith('listening')) throw new Error(`the directory did not start: ${String(said[0])}`);
    },
    async stop() {
      if (!child) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      child = null;
      await gone;
    },
  };
  await directory.start();
  return directory;
}
