import { spawnSync } from 'node:child_process';
import type { CommandLimits } from '../../config/execution.ts';
import type { Launcher } from '../launcher.ts';
import { bubblewrapLauncher } from '../sandbox/bubblewrap.ts';
import { type Finished, makeWorkdir, runToEnd, SANDBOX_USER, SMALL, shell } from './run.ts';

/** The tests' own need, not the launcher's: it also runs without root, with less around it. */
export const possible = process.getuid?.() === 0 && spawnSync('bwrap', ['--version']).status === 0;

type Words = Parameters<typeof bubblewrapLauncher>;

/** A folder of sessions, and what starts sandboxes in it. */
export interface Sandboxes {
  readonly workdir: string;
  readonly settings: Words[0];
  readonly launcher: Launcher;
  /** Another launcher; it is closed with the rest. */
  open(...words: Words): Promise<Launcher>;
  sh(script: string, more?: Parameters<typeof shell>[1], limits?: CommandLimits): Promise<Finished>;
  perl(script: string): Promise<Finished>;
  close(): Promise<void>;
}

export async function openSandboxes(): Promise<Sandboxes> {
  const folder = await makeWorkdir();
  const workdir = folder.path;
  const settings = { workdir, limits: SMALL, commands: 16, user: SANDBOX_USER, users: 1, readable: [], path: '' };
  const opened: Launcher[] = [];
  async function open(...words: Words): Promise<Launcher> {
    const one = await bubblewrapLauncher(...words);
    opened.push(one);
    return one;
  }
  const launcher = await open(settings);
  return {
    workdir,
    settings,
    launcher,
    open,
    sh: (script, more = {}, limits = SMALL) => runToEnd(launcher, workdir, shell(script, more), limits),
    perl: (script) => runToEnd(launcher, workdir, shell('', { interpreter: 'perl', arguments: ['-e', script] })),
    async close() {
      for (const one of opened) await one.close();
      await folder.remove();
    },
  };
}
