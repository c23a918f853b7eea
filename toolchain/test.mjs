// `npm test`: on a fresh checkout too. Plain JavaScript, for it runs before anything is installed (Node 20 or newer).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installSystemPackages } from './system-packages.mjs';

function run(program, ...words) {
  const { status, error } = spawnSync(program, words, { stdio: 'inherit' });
  if (error) console.error(`${program}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

// Not `npm ci`: it refuses a lock file that does not name the optional packages of every other platform.
if (!existsSync('node_modules/.package-lock.json')) run('npm', 'install', '--no-save', '--no-audit', '--no-fund');
installSystemPackages(console.log);
run('npm', 'run', '--silent', 'check');
run('npm', 'exec', '--no', '--', 'vitest', 'run');
