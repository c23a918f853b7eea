import { existsSync } from 'node:fs';
import { cp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { GRAMMAR_PACKAGES } from '../apps/gw/src/process/grammars.ts';
import { bundleClient } from './client-bundle.ts';
import { licenseKeyDefinition } from './license-key.ts';
import { buildPages } from './pages.ts';
import { digestOfSources, isProfile, PROFILES, type Profile } from './sources.ts';

/**
 * `npm run build`: the artifact of one profile in `dist/<profile>` (roles-23). The profile decides which modules
 * `#profile` and its kind resolve to, so the other profile's code is not in the artifact at all.
 * With `--when-changed`, an artifact of the same sources is reused. With `--into <folder>` it is built there instead.
 */
const PROGRAMS = ['gateway', 'console', 'gatewayctl'] as const;
const LEAST_NODE = 24;

/** The file that is started: old versions of Node.js can parse it, so that one line refuses them. */
const startOf = (program: string): string => `if (Number(process.versions.node.split('.')[0]) < ${LEAST_NODE}) {
  process.stderr.write('${program} needs Node.js ${LEAST_NODE} or newer; this is ' + process.versions.node + '.\\n');
  process.exitCode = 1;
} else await import('./${program}-program.js');
`;

/** Files that the gateway expects beside its own program: a thread's program, and rarely needed tables. */
const BESIDE = {
  'log-export': 'apps/gateway/src/export/worker.ts',
  vocabulary: 'apps/gateway/src/store/vocabulary.ts',
} as const;

/** The policy engine is WebAssembly beside its loader, which finds it by its own path: it is included as a package. */
const ENGINE = 'node_modules/@cedar-policy/cedar-wasm';

/** Some packages are CommonJS and require Node's modules. */
const BANNER = {
  js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
};

/** The program for the client's Search, for this platform. */
const RIPGREP = ['rg', 'rg.exe'].map(
  (name) => `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`,
);

async function bundle(profile: Profile, folder: string, define: Record<string, string>): Promise<void> {
  await build({
    entryPoints: {
      ...BESIDE,
      ...Object.fromEntries(PROGRAMS.map((name) => [`${name}-program`, `apps/${name}/src/main.ts`])),
    },
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    conditions: [profile],
    define,
    splitting: false,
    // Comments of packages go with it: one letter of theirs beyond Latin-1, and V8 keeps the whole program in two bytes a letter.
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: BANNER,
  });
  for (const name of PROGRAMS) await writeFile(`${folder}/${name}.js`, startOf(name));
  await bundleClient(profile, folder, define);
  await buildPages(profile, `${folder}/console-web`);
  for (const part of ['package.json', 'nodejs'])
    await cp(`${ENGINE}/${part}`, `${folder}/${ENGINE}/${part}`, { recursive: true });
  for (const [name, from] of [['web-tree-sitter', 'web-tree-sitter'], ...Object.entries(GRAMMAR_PACKAGES)])
    await cp(`node_modules/${from}/${name}.wasm`, `${folder}/gw/grammars/${name}.wasm`);
  for (const file of RIPGREP.filter((each) => existsSync(each))) await cp(file, `${folder}/gw/${basename(file)}`);
  await cp('packages/database/migrations', `${folder}/migrations`, { recursive: true });
  await writeFile(`${folder}/package.json`, `${JSON.stringify({ type: 'module', private: true }, null, 2)}\n`);
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes what builds that were cut short (Ctrl-C) left aside. */
async function sweep(): Promise<void> {
  for (const name of existsSync('dist') ? await readdir('dist') : []) {
    const [, pid] = /^\.building-.+-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !runs(Number(pid))) await rm(`dist/${name}`, { recursive: true, force: true });
  }
}

const profile = process.env.GATEWAY_DEPLOYMENT_PROFILE || 'on-premise';
if (!isProfile(profile)) {
  process.stderr.write(
    `GATEWAY_DEPLOYMENT_PROFILE is "${profile}": set it to ${PROFILES.join(' or ')}, or leave it out for on-premise.\n`,
  );
  process.exit(1);
}
const folder = `dist/${profile}`;
const define = await licenseKeyDefinition(process.env.GATEWAY_LICENSE_PUBLIC_KEY_FILE).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
const into = process.argv.indexOf('--into');
if (into > 0) {
  const target = process.argv[into + 1] ?? '';
  if (target === '' || target.startsWith('--')) {
    process.stderr.write('--into needs the folder to build into: node toolchain/build.ts --into FOLDER\n');
    process.exit(1);
  }
  await bundle(profile, target, define);
  process.exit(0);
}
const digest = await digestOfSources(profile, ...Object.values(define));
const mark = `${folder}/.sources-${digest}`;
const began = new Date();
if (!process.argv.includes('--when-changed') || !existsSync(mark)) {
  // Built aside and moved: a build that is cut short leaves no half artifact, and two builds at once leave one whole.
  process.stderr.write(`Building ${folder} …\n`);
  await sweep();
  const aside = `dist/.building-${profile}-${process.pid}`;
  await rm(aside, { recursive: true, force: true });
  await bundle(profile, aside, define);
  await writeFile(`${aside}/.sources-${digest}`, '');
  await rm(folder, { recursive: true, force: true });
  await rename(aside, folder).catch(async (error: unknown) => {
    if (!existsSync(mark)) throw error;
    await rm(aside, { recursive: true }); // another build of the same sources was quicker
  });
}
// `gw` of the checkout runs the built program as long as no source is newer.
await utimes(`${folder}/gw.js`, began, began);
