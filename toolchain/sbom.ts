import { execFile } from 'node:child_process';
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly overrides?: object;
  devDependencies?: Readonly<Record<string, string>>;
}
interface Bom {
  serialNumber?: string;
  metadata: { timestamp?: string; tools?: { version?: string }[] };
}

/** What the artifacts are made of: not the site, the benchmark and the tools of the checkout. */
const WORKSPACES = ['packages/*', ...['gateway', 'console', 'gatewayctl', 'gw'].map((name) => `apps/${name}`)];
/** Its pages are bundled from packages that are no dependency of the program: they count, but not what only tests them. */
const BUNDLES_ITS_TOOLS = 'apps/console/package.json';
const TESTS_PAGES = /^(happy-dom|@testing-library\/.*)$/;

async function npm(folder: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', words, {
    cwd: folder,
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32',
    env: { ...process.env, npm_config_loglevel: 'error' },
  });
  return stdout;
}

async function manifestOf(file: string): Promise<Manifest> {
  return JSON.parse(await readFile(file, 'utf8')) as Manifest;
}

/** A project of the artifacts' packages alone, with the versions of the lock file. Nothing is installed or downloaded. */
async function reduceProject(folder: string): Promise<void> {
  const { version, license, overrides } = await manifestOf('package.json');
  const root = { name: 'gateway', version, license, private: true, workspaces: WORKSPACES, overrides };
  await writeFile(join(folder, 'package.json'), JSON.stringify(root));
  await copyFile('package-lock.json', join(folder, 'package-lock.json'));
  for await (const file of glob(WORKSPACES.map((workspace) => `${workspace}/package.json`))) {
    const manifest = await manifestOf(file);
    const bundled = file === BUNDLES_ITS_TOOLS ? Object.entries(manifest.devDependencies ?? {}) : [];
    manifest.devDependencies = Object.fromEntries(bundled.filter(([name]) => !TESTS_PAGES.test(name)));
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), JSON.stringify(manifest));
  }
  await npm(folder, 'install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund');
}

/**
 * The bill of materials of the artifacts, as CycloneDX, by npm. Variable data (serial number, instant, version of npm) is
 * omitted, so that the same lock file gives the same text.
 */
export async function softwareBillOfMaterials(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'gateway-sbom-'));
  try {
    const folder = join(parent, 'gateway'); // npm names the root component after its folder
    await mkdir(folder);
    await reduceProject(folder);
    const bom = JSON.parse(await npm(folder, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only')) as Bom;
    delete bom.serialNumber;
    delete bom.metadata.timestamp;
    for (const tool of bom.metadata.tools ?? []) delete tool.version;
    return `${JSON.stringify(bom, null, 2)}\n`;
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}
