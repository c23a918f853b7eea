// Installs the packages of the lock file when it changed since the last time. Plain JavaScript for Node 20 or newer: it runs
// before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { setInterval } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { forwardSignals } from './forward-signals.mjs';

/** npm's own list of what it installed. */
const INSTALLED = 'node_modules/.package-lock.json';
/** Contains the number of the process that installs. */
const LOCK = '.gateway-installing';
/** npm takes long to stop, and the next install starts over in any case. */
const PATIENCE_MILLISECONDS = 2000;
export const PINNED_NODE =
  process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node';

/** A person's mistake or a machine's lack: shown as one line, without a stack trace. */
export class Fault extends Error {}

/** The packages of a lock file, by their folder. */
const packagesOf = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);

/** Whether the packages of the lock file are installed. npm lists what it installed when it is done, and `npm ci` removes that list first. */
export function isInstalled() {
  if (!existsSync(INSTALLED) || !existsSync(PINNED_NODE)) return false;
  const installed = new Map(packagesOf(INSTALLED));
  // Optional packages are those of other systems.
  return packagesOf('package-lock.json').every(
    ([folder, { version, optional }]) =>
      folder === '' || (installed.has(folder) ? installed.get(folder).version === version : optional === true),
  );
}

/** Runs npm and captures its output, because standard output may be machine-readable. A signal ends npm, then this process. */
function npm(args, onTick) {
  const cli = process.env.npm_execpath;
  const [program, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  return new Promise((resolve) => {
    const child = spawn(program, [...first, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: program === 'npm' && process.platform === 'win32',
      env: { ...process.env, npm_config_loglevel: 'error' },
    });
    const leave = forwardSignals(child, PATIENCE_MILLISECONDS);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    const ticks = setInterval(onTick, 5000);
    child.once('error', (error) => (said += error.message));
    child.once('close', (code) => {
      clearInterval(ticks);
      const signal = leave();
      if (signal === null) return resolve({ code, said });
      rmSync(LOCK, { force: true });
      process.kill(process.pid, signal);
    });
  });
}

/** npm's code for an unreachable registry, such as ENOTFOUND; null where the registry answers. */
async function silence() {
  const { code, said } = await npm(['view', 'node', 'version', '--fetch-retries=0', '--fetch-timeout=20000'], () => {});
  return code === 0 ? null : (/^npm error code (\S+)/m.exec(said)?.[1] ?? `npm ended with ${code}`);
}

/** Whether a process is one that installs: after a restart of the machine another one may have its number. */
function installs(pid) {
  try {
    return /npm|toolchain/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    if (existsSync('/proc/self')) return false;
  }
  try {
    return process.kill(pid, 0); // without /proc only the number identifies the process
  } catch {
    return false;
  }
}

/** Takes the lock. False where another process has it: two installs would remove each other's packages. */
function take() {
  const own = `${LOCK}.${process.pid}`;
  try {
    writeFileSync(own, String(process.pid));
    linkSync(own, LOCK); // a reader never sees a lock without its number
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new Fault(`The packages cannot be installed in ${process.cwd()}: ${error.message}.`);
  } finally {
    rmSync(own, { force: true });
  }
}

/** The process that has the lock; null where none has it any more. */
function holder() {
  try {
    return readFileSync(LOCK, 'utf8');
  } catch {
    return null;
  }
}

/** Removes the lock of a process that was killed. Where another start has just done that, its own lock is put back. */
function removeLeft(left) {
  const aside = `${LOCK}.${process.pid}.left`;
  try {
    renameSync(LOCK, aside);
    if (readFileSync(aside, 'utf8') !== left) linkSync(aside, LOCK);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

/** Installs where needed, one process at a time. `say` receives one line at a time. */
export async function install(say) {
  let reported = false;
  while (!isInstalled()) {
    if (take()) {
      try {
        if (!isInstalled()) await installPackages(say); // another start may have ended just before
      } finally {
        rmSync(LOCK, { force: true });
      }
      return;
    }
    const other = holder();
    if (other === null) continue;
    if (!installs(other)) {
      removeLeft(other);
      continue;
    }
    if (!reported) say(`Another start installs the packages (process ${other}); waiting for its end …`);
    reported = true;
    await pause(200);
  }
}

async function installPackages(say) {
  const began = Date.now();
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`;
  say('Installing the packages (a minute or so, only when they changed) …');
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev'];
  // Without a registry npm would try each package again for a minute, one after the other.
  const silent = await silence();
  if (silent !== null) {
    say(`  the npm registry does not answer (${silent}): only what npm has in its cache can be installed`);
    args.push('--prefer-offline', '--fetch-retries=0');
  }
  const { code, said } = await npm(args, () => say(`  still installing, ${seconds()}`));
  if (code !== 0) throw new Fault(`${said.trim()}\nThe packages could not be installed: npm ended with ${code}.`);
  if (!existsSync(PINNED_NODE)) {
    throw new Fault(
      'The install script of the npm package "node" did not run, so the pinned Node is missing. Run: npm rebuild node',
    );
  }
  say(`  installed in ${seconds()}`);
}
