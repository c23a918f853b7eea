import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { createSigner, type Signer } from '../packages/ledger/src/index.ts';
import { softwareBillOfMaterials } from './sbom.ts';
import { PROFILES, type Profile } from './sources.ts';

/**
 * `npm run release -- --out DIR --key PRIVATE.pem`: a folder with all that an installation needs without a network but PostgreSQL.
 * It has the artifacts of both profiles, built again, Node.js for the platform of the build, the manual, the deployment files,
 * the client's package, their bill of materials, checksums, and a signed manifest. The same sources give the same manifest, so
 * its digest can be compared with that of another build. `gw verify` checks the folder.
 */
const MANIFEST = 'release.json';
const USAGE = 'Usage: npm run release -- --out DIR --key PRIVATE.pem';

/** A person's mistake: one line, without a stack trace. */
class Fault extends Error {}

function readOptions(): { readonly out: string; readonly key: string } {
  try {
    const { values } = parseArgs({ options: { out: { type: 'string' }, key: { type: 'string' } } });
    if (values.out && values.key) return { out: resolve(values.out), key: values.key };
  } catch (error) {
    throw new Fault(`${(error as Error).message}. ${USAGE}`);
  }
  throw new Fault(`--out and --key are both needed. ${USAGE}`);
}

async function readSigner(file: string): Promise<Signer> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Fault(`--key ${file} cannot be read (${error.code}).`);
  });
  try {
    return createSigner(text);
  } catch (error) {
    throw new Fault(
      `--key ${file} ${(error as Error).message}. Make one: openssl genpkey -algorithm ed25519 -out ${file}`,
    );
  }
}

async function build(profile: Profile, folder: string): Promise<void> {
  const child = spawn(process.execPath, ['toolchain/build.ts', '--into', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, GATEWAY_DEPLOYMENT_PROFILE: profile },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Fault(`The build of ${profile} failed; nothing was released.`);
}

/** Runs a program of this repository. @returns the last line that it printed. */
async function run(what: string, program: string, ...words: readonly string[]): Promise<string> {
  // They build into `dist` where it is not current: its programs would trust the vendor's key in every later test.
  const { GATEWAY_LICENSE_PUBLIC_KEY_FILE: _, ...env } = process.env;
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'], env });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Fault(`${what} failed; nothing was released.`);
  return printed.trimEnd().split('\n').at(-1) ?? '';
}

/** Commands in `bin`, and what each starts of the default build. */
const PROGRAMS = { gateway: 'gateway.js', 'gateway-console': 'console.js', gatewayctl: 'gatewayctl.js', gw: 'gw.js' };

/** Starts a program with the Node.js of the release, from any working directory and through a link. */
function startScript(program: string): string {
  return `#!/bin/sh\nset -eu\nrelease=$(dirname "$(readlink -f "$0")")/..\nexec "$release/runtime/node" "$release/on-premise/${program}" "$@"\n`;
}

/** The client's package for npm. */
async function packClient(folder: string): Promise<void> {
  const made = join(folder, 'client');
  await run("The build of the client's package", process.execPath, 'toolchain/client-package.ts', '--out', made);
  await run("The packing of the client's package", 'npm', 'pack', made, '--silent', '--pack-destination', folder);
  await rm(made, { recursive: true });
}

/** The page about an installation without a network. Its links lead to the manual of the bundle. */
async function installationGuide(): Promise<string> {
  const page = await readFile('site/pages/deployment/air-gapped.md', 'utf8');
  return page.replaceAll(
    /\]\(\/([a-z/-]+)(#[a-z0-9-]+)?\)/g,
    (_, path: string, anchor = '') => `](manual/${path}.html${String(anchor)})`,
  );
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

async function describe(folder: string, path: string) {
  const bytes = await readFile(join(folder, path));
  return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function assemble(folder: string, signer: Signer): Promise<string> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  for (const profile of PROFILES) await build(profile, join(folder, profile));
  for (const file of ['LICENSE', 'CHANGELOG.md']) await copyFile(file, join(folder, file));
  await run('The build of the manual', process.execPath, 'site/build/main.ts', '--when-changed');
  await cp('dist/manual', join(folder, 'manual'), { recursive: true });
  await cp('deploy', join(folder, 'deploy'), { recursive: true });
  await mkdir(join(folder, 'runtime'));
  await copyFile(process.execPath, join(folder, 'runtime', 'node'));
  await mkdir(join(folder, 'bin'));
  for (const [name, program] of Object.entries(PROGRAMS))
    await writeFile(join(folder, 'bin', name), startScript(program), { mode: 0o755 });
  await packClient(folder);
  await writeFile(join(folder, 'INSTALL.md'), await installationGuide());
  await writeFile(join(folder, 'sbom.cdx.json'), await softwareBillOfMaterials());
  const built = await Promise.all((await filesBelow(folder)).map((path) => describe(folder, path)));
  await writeFile(join(folder, 'SHA256SUMS'), built.map(({ sha256, path }) => `${sha256}  ${path}\n`).join(''));
  const files = [await describe(folder, 'SHA256SUMS'), ...built];
  // Anybody can sign a license of the development key, which is in the sources.
  const name = process.env.GATEWAY_LICENSE_PUBLIC_KEY_FILE ? 'gateway' : 'gateway-development';
  const manifest = `${JSON.stringify({ format: 'gateway-release/1', name, version, files }, null, 2)}\n`;
  await writeFile(join(folder, MANIFEST), manifest);
  await writeFile(join(folder, `${MANIFEST}.sig`), signer.sign(Buffer.from(manifest)));
  return createHash('sha256').update(manifest).digest('hex');
}

async function release(): Promise<void> {
  const { out, key } = readOptions();
  if (existsSync(out)) throw new Fault(`--out ${out} is there already. Remove it, or name another folder.`);
  const signer = await readSigner(key);
  // Made aside and moved: a release that is cut short leaves nothing that looks like one.
  const aside = `${out}.${process.pid}`;
  try {
    await mkdir(aside, { recursive: true });
    const digest = await assemble(aside, signer);
    await rename(aside, out);
    process.stdout.write(`${JSON.stringify({ folder: out, manifest: `sha256:${digest}`, signedBy: signer.keyId })}\n`);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

try {
  await release();
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
