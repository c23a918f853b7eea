// Installs the packages of the lock file when it changed since the last time. Plain JavaScript for Node 20 or newer: it runs
// before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { setInterval } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { beneath } from './beneath.mjs';

const MARK = 'node_modules/.gateway-installed';
/** Names who installs: the process, and its npm, which goes on for a while where that process is killed. */
const INSTALLING = 'node_modules/.gateway-installing';
export const PINNED_NODE =
  process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node';

/** A signal came while npm ran. */
class Stopped extends Error {
  constructor(signal) {
    super(signal);
    this.signal = signal;
  }
}

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
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: program === 'npm' && process.platform === 'win32',
      env: { ...process.env, npm_config_loglevel: 'error' },
    });
    const leave = beneath(child);
    writeWhole((whole) => renameSync(whole, INSTALLING), child.pid);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    const ticks = setInterval(onTick, 5000);
    child.once('error', (error) => (said += error.message));
    child.once('close', (code) => {
      clearInterval(ticks);
      const signal = leave();
      if (signal === null) resolve({ code, said });
      else reject(new Stopped(signal));
    });
  });
}

/** What npm says about a registry that does not answer: a code such as ENOTFOUND; null where it answers. */
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
    return process.kill(pid, 0); // without /proc the number alone has to tell
  } catch {
    return false;
  }
}

/** Writes who installs into a file of its own, which then becomes the one that is read: nobody ever reads half of it. */
function writeWhole(place, ...others) {
  const whole = `${INSTALLING}.${process.pid}`;
  writeFileSync(whole, [process.pid, ...others].join(' '));
  try {
    place(whole);
  } finally {
    rmSync(whole, { force: true });
  }
}

/** Takes the right to install. False where somebody else has it: of two, each would remove what the other has just unpacked. */
function take() {
  try {
    mkdirSync('node_modules', { recursive: true });
    writeWhole((whole) => linkSync(whole, INSTALLING));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new Fault(`The packages cannot be installed in ${process.cwd()}: ${error.message}.`);
  }
}

/** Those who install, and still run. */
function installers() {
  try {
    return readFileSync(INSTALLING, 'utf8').split(' ').map(Number).filter(installs);
  } catch {
    return []; // they have ended meanwhile
  }
}

async function takeTurn(say) {
  for (let told = false; !take(); ) {
    const [other] = installers();
    if (other === undefined) {
      rmSync(INSTALLING, { force: true });
      continue;
    }
    if (!told) say(`Another start installs the packages (process ${other}); waiting for its end …`);
    told = true;
    await pause(200);
  }
}

/** Installs where needed, one at a time. `say` gets one line at a time. */
export async function install(say) {
  if (isInstalled()) return;
  await takeTurn(say);
  try {
    if (!isInstalled()) await installPackages(say);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    rmSync(INSTALLING, { force: true });
    process.kill(process.pid, error.signal);
  } finally {
    rmSync(INSTALLING, { force: true });
  }
}

async function installPackages(say) {
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
