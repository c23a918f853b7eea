import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Report } from '../cli/commands/diagnose-run.ts';
import { run } from '../cli/run.ts';
import type { Context, Terminal } from '../process/context.ts';
import type { Environment } from '../process/environment.ts';
import type { Machine } from '../process/machine.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What may be other than usual in a world. */
export interface RunOptions {
  readonly variables?: Readonly<Record<string, string>>;
  readonly environment?: Partial<Environment>;
  readonly machine?: Partial<Machine>;
  readonly terminal?: Partial<Terminal>;
  readonly now?: Date;
  /** What is piped in. */
  readonly input?: string;
  /** Interrupts the run. */
  readonly interrupted?: AbortSignal;
}

/** A home and a project of a person's own, below one temporary directory, and command lines that are run there. */
export interface World {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  /** Writes a file below the root, with mode 0600 unless another is given, and answers with its path. */
  write(path: string, content: string | Uint8Array, mode?: number): string;
  gw(words: readonly string[], change?: RunOptions): Promise<Ran>;
  /** What a command is given in this world; what it writes is dropped. */
  context(change?: RunOptions): Context;
  /** The report of `diagnose --json`, which must be written. */
  report(change?: RunOptions, ...words: readonly string[]): Promise<Report>;
  /** Findings of that report, each as `what | where | fix`. */
  findings(change?: RunOptions, ...words: readonly string[]): Promise<readonly string[]>;
  /** What those findings say, alone. */
  whats(change?: RunOptions, ...words: readonly string[]): Promise<readonly string[]>;
  /** Runs git in the project. */
  git(...words: readonly string[]): void;
  close(): void;
}

export const MACHINE: Machine = {
  platform: 'linux',
  release: '6.1.0',
  build: '#1 SMP',
  architecture: 'x64',
  node: '24.21.0',
  timeZone: 'Europe/Paris',
};
export const NOW = new Date('2026-11-21T09:30:00.123Z');

export function openWorld(): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gw-')));
  const [home, project] = [join(root, 'home', 'casey'), join(root, 'work', 'shop')];
  for (const directory of [home, project]) mkdirSync(directory, { recursive: true });
  const path = process.env['PATH'] ?? '';

  const context: World['context'] = (change = {}) => ({
    environment: {
      variables: new Map(Object.entries({ PATH: path, HOME: home, LANG: 'C.UTF-8', ...change.variables })),
      homeDirectory: home,
      workingDirectory: project,
      userName: 'casey',
      userId: process.getuid?.() ?? null,
      ...change.environment,
    },
    machine: { ...MACHINE, ...change.machine },
    now: () => change.now ?? NOW,
    interrupted: () => change.interrupted ?? new AbortController().signal,
    terminal: {
      readAll: async () => change.input ?? '',
      readHidden: async () => null,
      ask: async () => null,
      write: async () => undefined,
      report: () => undefined,
      input: false,
      output: false,
      error: false,
      columns: null,
      rows: null,
      colors: 1,
      ...change.terminal,
    },
  });

  const gw: World['gw'] = async (words, change = {}) => {
    let [out, err] = ['', ''];
    const written: Partial<Terminal> = {
      write: async (text) => {
        out += text;
      },
      report: (text) => {
        err += text;
      },
    };
    const code = await run(words, context({ ...change, terminal: { ...written, ...change.terminal } }));
    return { code, out, err };
  };

  const report: World['report'] = async (change, ...words) => {
    const { code, out, err } = await gw(['diagnose', '--json', '--output', '-', ...words], change);
    if (code !== 0 || err !== '') throw new Error(`gw diagnose ended with ${code}: ${err}`);
    return JSON.parse(out) as Report;
  };

  return {
    root,
    home,
    project,
    write(name, content, mode = 0o600) {
      const file = join(root, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      chmodSync(file, mode);
      return file;
    },
    gw,
    context,
    report,
    async whats(change, ...words) {
      return (await report(change, ...words)).findings.map(({ what }) => what);
    },
    async findings(change, ...words) {
      const { findings } = await report(change, ...words);
      return findings.map(({ what, where, fix }) => `${what} | ${where} | ${fix}`);
    },
    git(...words) {
      const env = { PATH: path, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
      const author = ['-c', 'user.name=Casey', '-c', 'user.email=casey@example.org', '-c', 'init.defaultBranch=main'];
      execFileSync('git', [...author, ...words], { cwd: project, env, stdio: 'pipe' });
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}
