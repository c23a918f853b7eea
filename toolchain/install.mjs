// Installs the packages of the lock file when it changed since the last time. Plain JavaScript for Node 20 or newer: it runs
// before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { setInterval } from 'node:timers';

const MARK = 'node_modules/.gateway-installed';
export const PINNED_NODE =
  process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node';

/** A person's mistake or a machine's lack: shown as one line, without a stack trace. */
export class Fault extends Error {}

function wanted() {
  return createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
}

export function isInstalled() {
  return existsSync(MARK) && existsSync(PINNED_NODE) && readFileSync(MARK, 'utf8') === wanted();
}

/** Runs npm with what it says kept back, for standard output may belong to a machine's reader. */
function npm(words, onTick) {
  const cli = process.env.npm_execpath;
  const [program, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  return new Promise((resolve) => {
    const child = spawn(program, [...first, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: program === 'npm' && process.platform === 'win32',
      env: { ...process.env, npm_config_loglevel: 'error' },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    const ticks = setInterval(onTick, 5000);
    child.once('error', (error) => (said += error.message));
    child.once('close', (code) => {
      clearInterval(ticks);
      resolve({ code, said });
    });
  });
}

/** What npm says about a registry that does not answer: a code such as ENOTFOUND; null where it answers. */
async function silence() {
  const { code, said } = await npm(['view', 'node', 'version', '--fetch-retries=0', '--fetch-timeout=20000'], () => {});
  return code === 0 ? null : (/^npm error code (\S+)/m.exec(said)?.[1] ?? `npm ended with ${code}`);
}

/** Installs where needed. `say` gets one line at a time. */
export async function install(say) {
  if (isInstalled()) return;
  const began = Date.now();
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`;
  say('Installing the packages (a minute or so, only when they changed) …');
  // Not `npm ci`: it refuses a lock file that does not name the optional packages of every other platform.
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev'];
  // Without a registry npm would try each package again for a minute, one after the other.
  const silent = await silence();
  if (silent !== null) {
    say(`  the npm registry does not answer (${silent}): only what npm has in its cache can be installed`);
    words.push('--prefer-offline', '--fetch-retries=0');
  }
  const { code, said } = await npm(words, () => say(`  still installing, ${seconds()}`));
  if (code !== 0) throw new Fault(`${said.trim()}\nThe packages could not be installed: npm ended with ${code}.`);
  if (!existsSync(PINNED_NODE)) {
    throw new Fault(
      'The install script of the npm package "node" did not run, so the pinned Node is missing. Run: npm rebuild node',
    );
  }
  writeFileSync(MARK, wanted());
  say(`  installed in ${seconds()}`);
}
