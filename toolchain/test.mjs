// `npm test`, `npm run test:system`, `npm run test:full`: on a fresh checkout too. Installs what the tests need, builds both artifacts and
// the manual, checks, tests. Plain JavaScript, because it runs before anything is installed (Node 20 or newer).
import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Fault, install, PINNED_NODE } from './install.mjs';
import { installSystemPackages } from './system-packages.mjs';

/** Projects of vitest.config.ts that each command runs. */
const QUICK = ['pure', 'database', 'gateway', 'replacing', 'pages'];
const PROJECTS = { quick: QUICK, system: ['system'], full: [...QUICK, 'system', 'long'] };

/** Runs a program with its output shown; a failure ends everything here. */
function run(program, args, environment = {}) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  if (error) console.error(`${program}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// Debian keeps servers (nginx, HAProxy, PgBouncer) where the PATH of an ordinary user does not lead.
process.env.PATH = [process.env.PATH, '/usr/local/sbin', '/usr/sbin', '/sbin'].join(delimiter);
try {
  await install(console.log);
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  console.error(error.message);
  process.exit(1);
}
const [first = '', ...rest] = process.argv.slice(2);
const kind = first.startsWith('--kind=') ? first.slice('--kind='.length) : 'quick';
const args = first.startsWith('--kind=') ? rest : process.argv.slice(2);
const test = (...words) => run('npm', ['exec', '--no', '--', 'vitest', 'run', ...words]);
if (args.some((word) => !word.startsWith('-'))) {
  // Part of the tests: what a person waits for while working. The test projects build the programs that they start.
  test(...args);
  process.exit();
}
installSystemPackages(console.log);
for (const profile of ['on-premise', 'serverless']) {
  run(PINNED_NODE, ['toolchain/build.ts', '--when-changed'], { GATEWAY_DEPLOYMENT_PROFILE: profile });
}
run(PINNED_NODE, ['site/build/main.ts', '--when-changed']);
if (kind !== 'system') run('npm', ['run', '--silent', 'check']);
test(...PROJECTS[kind].flatMap((name) => ['--project', name]), ...args);
