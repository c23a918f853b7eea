import { spawnSync } from 'node:child_process';

/** Builds the artifact that gateways of the suites run from, where its sources changed. */
export function buildGateway(): void {
  const { status } = spawnSync(process.execPath, ['toolchain/build.ts', '--when-changed'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, GATEWAY_DEPLOYMENT_PROFILE: 'serverless' },
  });
  if (status !== 0) process.exit(1);
}
