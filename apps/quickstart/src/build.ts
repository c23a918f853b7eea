import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './dependencies.ts';
import type { Environment } from './environment.ts';
import { StartFault } from './fault.ts';
import type { ProfileName } from './options.ts';

/** Builds the artifact of a profile where its sources changed. What the build says goes to standard error. */
export async function build(profile: ProfileName, environment: Environment): Promise<void> {
  const child = spawn(process.execPath, ['toolchain/build.ts', '--when-changed'], {
    cwd: ROOT,
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...environment.machine, GATEWAY_DEPLOYMENT_PROFILE: profile },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new StartFault(`The ${profile} artifact could not be built.`);
}
