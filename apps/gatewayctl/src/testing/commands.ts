import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import type { Environment } from '../context/environment.ts';
import { run } from '../run.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A database, a key folder, and command lines run on them. */
export interface Commands {
  readonly database: TestDatabase;
  readonly directory: string;
  /** Runs one command line as an operator would. */
  ctl(...words: string[]): Promise<Ran>;
  /** The same with a changed environment. */
  ctlWith(change: Partial<Environment>, ...words: string[]): Promise<Ran>;
  /** With `--json`; the parsed result of a command that must succeed. */
  json(...words: string[]): Promise<never>;
  close(): Promise<void>;
}

export async function openCommands(database?: TestDatabase): Promise<Commands> {
  const own = database ?? (await createTestDatabase());
  const directory = mkdtempSync(join(tmpdir(), 'gatewayctl-'));
  const environment: Environment = {
    databaseUrl: own.ownerUrl,
    databaseCaFile: undefined,
    databaseCa: undefined,
    signingKeyFile: join(directory, 'state', 'key.pem'),
    license: undefined,
    licenseFile: undefined,
    operator: 'tester@machine',
  };
  const ctlWith = async (change: Partial<Environment>, ...words: string[]): Promise<Ran> => {
    let out = '';
    let err = '';
    const code = await run(
      words,
      { ...environment, ...change },
      {
        async write(text) {
          out += text;
        },
        report: (text) => {
          err += text;
        },
        watched: false,
        columns: null,
      },
    );
    return { code, out, err };
  };
  return {
    database: own,
    directory,
    ctl: (...words) => ctlWith({}, ...words),
    ctlWith,
    async json(...words) {
      const ran = await ctlWith({}, ...words, '--json');
      if (ran.code !== 0) throw new Error(`gatewayctl ${words.join(' ')} ended with ${ran.code}: ${ran.err}`);
      return JSON.parse(ran.out) as never;
    },
    async close() {
      rmSync(directory, { recursive: true, force: true });
      await own.drop();
    },
  };
}
