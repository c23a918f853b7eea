import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { profile as onPremise } from './on-premise.ts';
import { profile as serverless } from './serverless.ts';

/** Every module of ours that a build of the console takes in, by its path below the checkout. */
async function modulesOf(condition: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../main.ts', import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    conditions: [condition],
    packages: 'external',
    external: ['@gateway/*'],
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}
const HOSTED_ONLY = /server\/routes\/(users|billing)\.ts|sign-in\/hosted|profile\/serverless/;
const ON_PREMISE_ONLY = /sign-in\/oidc-|profile\/on-premise/;

describe('the on-premise build', () => {
  it('takes in no module of plans, accounts, usage or the shared pair', async () => {
    const modules = await modulesOf('on-premise');
    expect(modules.length).toBeGreaterThan(30);
    expect(modules.filter((path) => HOSTED_ONLY.test(path))).toEqual([]);
  });
  it('is the default: a build for no profile is this one', async () => {
    expect(await modulesOf('none')).toEqual(await modulesOf('on-premise'));
  });
  it('mounts no address of the other', () => {
    const paths = onPremise.routes.map(({ path }) => path);
    expect(paths.filter((path) => /users|plan|usage|spending/.test(path))).toEqual([]);
    expect(onPremise.routes.filter(({ right }) => right === 'shared-pair')).toEqual([]);
  });
  it('reads no variable of the other', () => {
    const names = onPremise.variables.map(({ name }) => name);
    expect(names.filter((name) => serverless.variables.some((other) => other.name === name))).toEqual([]);
  });
});

describe('the hosted build', () => {
  it('contains no module of the OIDC sign-in', async () => {
    const modules = await modulesOf('serverless');
    expect(modules.filter((path) => ON_PREMISE_ONLY.test(path))).toEqual([]);
    expect(modules.filter((path) => HOSTED_ONLY.test(path)).length).toBe(4);
  });
  it('mounts everything the other mounts', () => {
    const rows = (routes: typeof serverless.routes) => routes.map(({ method, path }) => `${method} ${path}`);
    expect(rows(serverless.routes)).toEqual(expect.arrayContaining(rows(onPremise.routes)));
  });
});
