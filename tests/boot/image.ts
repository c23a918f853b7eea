import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const GUEST = join(import.meta.dirname, 'guest');
const SUITE = 'bookworm';
const SIZE = '4G';
/** What the machine has besides Debian's required packages. */
const PACKAGES = [
  'systemd-sysv',
  'dbus',
  'udev',
  'postgresql',
  'iproute2',
  'curl',
  'ca-certificates',
  'openssl',
  'procps',
  'linux-image-cloud-amd64',
];
/** Files of the test in the machine, with their modes. */
const FILES: readonly (readonly [name: string, path: string, mode: number])[] = [
  ['agent.sh', 'usr/local/sbin/boot-agent', 0o755],
  ['boot-agent.service', 'etc/systemd/system/boot-agent.service', 0o644],
  ['engine.cjs', 'usr/local/lib/engine.cjs', 0o644],
  ['engine.service', 'etc/systemd/system/engine.service', 0o644],
];
const FSTAB = '/dev/vda / ext4 defaults 0 0\n/dev/vdb /media/release ext4 ro 0 0\n';
/** Timers that would want a network. */
const MASKED = ['apt-daily.timer', 'apt-daily-upgrade.timer', 'e2scrub_all.timer', 'fstrim.timer'];

/** Programs of this machine, and the packages of Debian that bring them. */
export const PROGRAMS: readonly (readonly [program: string, package_: string])[] = [
  ['qemu-system-x86_64', 'qemu-system-x86'],
  ['qemu-img', 'qemu-utils'],
  ['debootstrap', 'debootstrap'],
  ['mke2fs', 'e2fsprogs'],
  ['openssl', 'openssl'],
  ['setpriv', 'util-linux'],
  ['unshare', 'util-linux'],
];

/** Why the test cannot run here, with what to do; null where it can. */
export function missingHere(): string | null {
  const absent = PROGRAMS.filter(([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  const packages = [...new Set(absent.map(([, package_]) => package_))];
  if (packages.length > 0) return `Packages are missing: apt-get install --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0) return 'Run it as root: debootstrap makes a root file system with owners and devices.';
  return null;
}

export interface Base {
  readonly disk: string;
  readonly kernel: string;
  readonly initrd: string;
}

/** Runs a program until it ends. @throws with the end of its output if it fails or the run is ended */
export async function run(ended: AbortSignal, program: string, ...words: readonly string[]): Promise<void> {
  ended.throwIfAborted();
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const end = (): boolean => child.kill();
  ended.addEventListener('abort', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000);
    });
  // Its descendants have its output open: after that none of them writes any more files.
  const [code] = (await once(child, 'close')) as [number | null];
  ended.removeEventListener('abort', end);
  ended.throwIfAborted();
  if (code !== 0) throw new Error(`${program} ${words.join(' ')}: ${output.trim()}`);
}

/**
 * The disk of a Debian system without the gateway. It is made once for each recipe; this needs Debian's packages.
 * @param cache where it is kept
 */
export async function baseImage(cache: string, ended: AbortSignal, report: (line: string) => void): Promise<Base> {
  const recipe = [SUITE, SIZE, ...PACKAGES, FSTAB, ...MASKED, build.toString()];
  for (const [name] of FILES) recipe.push(readFileSync(join(GUEST, name), 'utf8'));
  const folder = join(cache, createHash('sha256').update(recipe.join('\0')).digest('hex').slice(0, 16));
  const base = { disk: join(folder, 'disk.raw'), kernel: join(folder, 'vmlinuz'), initrd: join(folder, 'initrd.img') };
  if (existsSync(folder)) return base;
  report(`Making the disk of Debian ${SUITE}; it is kept in ${cache}.`);
  rmSync(cache, { recursive: true, force: true }); // those of earlier recipes
  const building = `${folder}.${process.pid}`;
  try {
    await build(building, ended);
    renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return base;
}

async function build(folder: string, ended: AbortSignal): Promise<void> {
  const root = join(folder, 'root');
  mkdirSync(root, { recursive: true });
  const include = `--include=${PACKAGES.join(',')}`;
  // Its mounts and processes end with its namespaces, whatever happens.
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  await run(ended, 'unshare', ...namespaces, 'debootstrap', '--variant=minbase', include, SUITE, root);
  rmSync(join(root, 'var/cache/apt'), { recursive: true });
  writeFileSync(join(root, 'etc/fstab'), FSTAB);
  writeFileSync(join(root, 'etc/hostname'), 'gateway\n');
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost gateway\n::1 localhost\n');
  mkdirSync(join(root, 'media/release'));
  for (const [name, path, mode] of FILES) writeFileSync(join(root, path), readFileSync(join(GUEST, name)), { mode });
  await run(ended, 'chroot', root, 'systemctl', 'enable', 'boot-agent.service', 'engine.service');
  await run(ended, 'chroot', root, 'systemctl', 'mask', ...MASKED);
  for (const name of ['vmlinuz', 'initrd.img']) {
    const [newest] = readdirSync(join(root, 'boot')).filter((entry) => entry.startsWith(`${name}-`));
    if (newest === undefined) throw new Error(`The package of the kernel brought no ${name}.`);
    renameSync(join(root, 'boot', newest), join(folder, name));
  }
  await writeDisk(root, join(folder, 'disk.raw'), SIZE, ended);
  rmSync(root, { recursive: true });
}

/** A disk image with the contents of a folder. @param size of its file system, such as `4G` */
export async function writeDisk(folder: string, file: string, size: string, ended: AbortSignal): Promise<void> {
  await run(ended, 'mke2fs', '-q', '-t', 'ext4', '-E', 'root_owner=0:0', '-d', folder, file, size);
}
