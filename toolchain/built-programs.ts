import { spawnSync } from 'node:child_process';
import { PROFILES } from './sources.ts';

/** Set-up of test projects that start programs: both artifacts, built where their sources changed. */
export function setup(): void {
  for (const profile of PROFILES) {
    const { status, stderr } = spawnSync(process.execPath, ['toolchain/build.ts', '--when-changed'], {
      encoding: 'utf8',
      env: { ...process.env, GATEWAY_DEPLOYMENT_PROFILE: profile },
    });
    if (status !== 0) throw new Error(`The programs of the ${profile} build could not be built:\n${stderr}`);
  }
}
