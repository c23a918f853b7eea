// Programs of the operating system that the tests use. Plain JavaScript: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/** Program, or a module of one, and the Debian packages that contain it. */
const NEEDED = [
  ['bwrap', 'bubblewrap'],
  ['setpriv', 'util-linux'],
  ['perl', 'perl-base'],
  ['chromium-headless-shell', 'chromium-headless-shell'],
  ['rsyslogd', 'rsyslog'],
  ['rsyslog/lmnsd_ossl.so', 'rsyslog-openssl'],
  ['nginx', 'nginx-light'],
  ['haproxy', 'haproxy'],
  ['caddy', 'caddy'],
  ['fish', 'fish'],
  ['zsh', 'zsh'],
  ['python3', 'python3'],
  ['pgbouncer', 'pgbouncer'],
  ['promtool', 'prometheus'],
  ['go', 'golang-go'],
  ['github.com/Masterminds/sprig/functions.go', 'golang-github-masterminds-sprig-dev'],
  ['golang.org/x/mod/sumdb/note/note.go', 'golang-golang-x-mod-dev'],
  ['buildah', 'buildah'],
  ['runc', 'runc'],
  ['podman', 'podman', 'netavark', 'iptables'],
  ['tini', 'tini'],
  ['pg_basebackup', 'postgresql'],
];

const isThere = (name) => {
  if (name.endsWith('.so')) return isLibrary(name);
  if (name.endsWith('.go')) return existsSync(`/usr/share/gocode/src/${name}`);
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name]).status === 0;
};

/** Programs without their modules are common on servers: rsyslog without OpenSSL starts, and never listens with TLS. */
function isLibrary(name) {
  const folders = ['/usr/lib', '/usr/lib64', '/usr/local/lib'].filter((folder) => existsSync(folder));
  const beside = folders.flatMap((folder) => readdirSync(folder).map((one) => `${folder}/${one}`));
  return [...folders, ...beside].some((folder) => existsSync(`${folder}/${name}`));
}

/** Installs missing programs, where this is Debian and we are root. `say` receives one line for each program still missing. */
export function installSystemPackages(say) {
  const missing = () => NEEDED.filter(([program]) => !isThere(program));
  const packages = missing().flatMap(([, ...names]) => names);
  if (packages.length === 0) return;
  if (process.getuid?.() === 0 && isThere('apt-get')) {
    const install = ['install', '--yes', '--no-install-recommends', ...packages];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
    say(`Installing ${packages.join(', ')} with apt-get …`);
    if (!apt(install) && apt(['update'])) apt(install);
  }
  for (const [program, ...names] of missing()) {
    say(`${program} is missing: the tests that need it fail or are left out. Install ${names.join(' and ')}.`);
  }
}
