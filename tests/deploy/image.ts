import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ROOT } from './chart.ts';

/** What the programs of the image need of Debian. */
const PACKAGES = [
  'base-files',
  'dash',
  'coreutils',
  'libacl1',
  'libattr1',
  'libgmp10',
  'libselinux1',
  'libpcre2-8-0',
  'libc6',
  'libgcc-s1',
  'libstdc++6',
  'tini',
  'ca-certificates',
];

interface Additions {
  /** Files of this machine, by their path in the image. */
  readonly files?: Readonly<Record<string, string>>;
  /** Options of `buildah config`. */
  readonly settings?: readonly string[];
}

interface ImageConfiguration {
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Env: readonly string[];
  readonly User: string;
  readonly WorkingDir: string;
}

export const IS_ROOT = process.getuid?.() === 0;

/** Leaves a test out for an ordinary user: buildah mounts an image, and runc its network, for root alone. */
export function leaveOutUnlessRoot({ skip }: { readonly skip: (condition: boolean, note: string) => void }): void {
  skip(!IS_ROOT, 'Only root can mount an image and start containers.');
}

/** These packages and all that they need, as far as this machine has them. */
export function withDependencies(packages: readonly string[]): readonly string[] {
  const found = new Set(packages);
  for (const one of found) {
    const words = ['--show', '--showformat=${Pre-Depends}, ${Depends}', one];
    const { stdout } = spawnSync('dpkg-query', words, { encoding: 'utf8' });
    for (const [name] of stdout.matchAll(/(?<=^|[,|] *)[a-z\d][a-z\d+.-]+/g)) {
      if (!found.has(name) && spawnSync('dpkg-query', ['--status', name]).status === 0) found.add(name);
    }
  }
  return [...found];
}

/** An archive of a root file system, from the packages that this machine has: no test fetches an image. */
function makeBase(file: string, packages: readonly string[]): void {
  const { stdout, status } = spawnSync('dpkg', ['--listfiles', ...packages], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Install these packages of Debian: ${packages.join(' ')}`);
  const isWanted = (path: string): boolean =>
    path.startsWith('/') && path !== '/.' && !/^\/usr\/share\/(?:doc|man|locale|info)\//.test(path) && existsSync(path);
  // A package may name /bin/cat, which is /usr/bin/cat.
  const real = stdout
    .split('\n')
    .filter(isWanted)
    .map((path) => join(realpathSync(dirname(path)), basename(path)));
  const paths = new Set([...real, '/bin', '/sbin', '/lib', '/lib64', '/etc/ssl/certs/ca-certificates.crt']);
  const words = ['--create', '--no-recursion', '--directory=/', '--files-from=-', `--file=${file}`];
  const input = [...paths].map((path) => path.slice(1)).join('\n');
  const { status: packed, stderr } = spawnSync('tar', words, { input, encoding: 'utf8' });
  if (packed !== 0) throw new Error(`tar: ${stderr}`);
}

function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv): string {
  const { stdout, stderr, status, error } = spawnSync(program, words, { cwd: ROOT, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr}`);
  return stdout.trim();
}

/** Builds the image with the script of the manual and buildah, in separate storage. */
export function buildImage() {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-image-'));
  const storage = ['driver = "overlay"', `graphroot = "${folder}/graph"`, `runroot = "${folder}/run"`];
  writeFileSync(join(folder, 'storage.conf'), `[storage]\n${storage.join('\n')}\n`);
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'), BUILDAH_ISOLATION: 'chroot' };
  const buildah = (...words: string[]) => run('buildah', words, env);
  const base = (tag: string, packages: readonly string[], { files = {}, settings = [] }: Additions = {}): void => {
    makeBase(join(folder, 'base.tar'), packages);
    const container = buildah('from', 'scratch');
    buildah('add', container, join(folder, 'base.tar'), '/');
    for (const [path, source] of Object.entries(files)) buildah('copy', container, source, path);
    if (settings.length > 0) buildah('config', ...settings, container);
    buildah('commit', '--quiet', '--rm', container, tag);
    rmSync(join(folder, 'base.tar'));
  };
  base('localhost/base', PACKAGES);
  run('deploy/image/build.sh', ['--base', 'localhost/base', '--tag', 'localhost/gateway'], env);
  const container = buildah('from', 'localhost/gateway');
  const root = buildah('mount', container);
  const { OCIv1 } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/gateway')) as {
    OCIv1: { config: ImageConfiguration };
  };
  const running: { readonly name: string; readonly child: ChildProcess }[] = [];

  return {
    configuration: OCIv1.config,
    /** Where podman finds the images. */
    env,
    /** Makes an image of packages that this machine has. */
    base,
    /** Starts a container with the OCI runtime: read-only, on the network of this machine. @param command instead of the image's */
    start(name: string, environment: Readonly<Record<string, string>>, command = OCIv1.config.Cmd) {
      const bundle = join(folder, name);
      const state = join(bundle, 'state');
      mkdirSync(state, { recursive: true });
      run('runc', ['spec', '--bundle', bundle], env);
      const { uid, gid } = userOf(OCIv1.config);
      run('chown', [`${uid}:${gid}`, state], env);
      const specification = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'));
      Object.assign(specification.process, {
        terminal: false,
        user: { uid, gid },
        args: [...OCIv1.config.Entrypoint, ...command],
        env: [...OCIv1.config.Env, ...Object.entries(environment).map(([key, value]) => `${key}=${value}`)],
        cwd: OCIv1.config.WorkingDir,
        capabilities: {},
        noNewPrivileges: true,
      });
      specification.root = { path: root, readonly: true };
      specification.mounts = specification.mounts.filter(
        ({ type }: { readonly type: string }) => !/^(?:cgroup|sysfs)$/.test(type),
      );
      specification.mounts.push(
        { destination: '/var/lib/gateway', type: 'none', source: state, options: ['bind', 'rw'] },
        { destination: '/tmp', type: 'tmpfs', source: 'tmpfs' },
      );
      const shared = new Set(['network', 'cgroup']);
      specification.linux.resources = {};
      specification.linux.namespaces = specification.linux.namespaces.filter(
        ({ type }: { readonly type: string }) => !shared.has(type),
      );
      writeFileSync(join(bundle, 'config.json'), JSON.stringify(specification));
      const child = spawn('runc', ['--root', `${folder}/runc`, 'run', '--bundle', bundle, name], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.push({ name, child });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      }
      const ended = once(child, 'close').then(([code]) => code as number | null);
      return {
        ended,
        output: () => output,
        /** Waits for text that matches. */
        async said(pattern: RegExp): Promise<string> {
          for (;;) {
            const found = pattern.exec(output);
            if (found !== null) return found[0];
            const more = Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]).then(() => true);
            if (!(await Promise.race([more, ended.then(() => false)]))) throw new Error(`ended: ${output}`);
          }
        },
        /** A signal to process 1 of the container. */
        signal: (signal: string) => run('runc', ['--root', `${folder}/runc`, 'kill', name, signal], env),
        /** Runs a program in the running container. */
        execute: (...words: string[]) =>
          spawnSync('runc', ['--root', `${folder}/runc`, 'exec', name, ...words], { env, encoding: 'utf8' }),
      };
    },
    async remove(): Promise<void> {
      for (const { name, child } of running) {
        if (child.exitCode !== null) continue;
        const ended = once(child, 'close');
        spawnSync('runc', ['--root', `${folder}/runc`, 'delete', '--force', name], { env });
        await ended;
      }
      buildah('umount', '--all');
      buildah('rm', '--all');
      buildah('rmi', '--all', '--force');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function userOf({ User }: ImageConfiguration): { readonly uid: number; readonly gid: number } {
  const [uid = NaN, gid = NaN] = User.split(':').map(Number);
  return { uid, gid };
}
