// Programs of the operating system that the tests use. Plain JavaScript, for it runs before anything is installed.
import { spawnSync } from 'node:child_process';

/** Program and the Debian packages it comes in. */
const NEEDED = [
  ['bwrap', 'bubblewrap'],
  ['setpriv', 'util-linux'],
  ['perl', 'perl-base'],
  ['chromium', 'chromium'],
  ['rsyslogd', 'rsyslog', 'rsyslog-openssl'],
];

const isThere = (program) => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0;

/** Installs what is missing, where this is Debian and we are root. `say` gets one line for each program still missing. */
export function installSystemPackages(say) {
  const missing = () => NEEDED.filter(([program]) => !isThere(program));
  const packages = missing().flatMap(([, ...names]) => names);
  if (packages.length === 0) return;
  if (process.getuid?.() === 0 && isThere('apt-get')) {
    const install = ['install', '--yes', '--no-install-recommends', ...packages];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (words) => spawnSync('apt-get', words, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
    say(`Installing ${packages.join(', ')} with apt-get …`);
    if (!apt(install) && apt(['update'])) apt(install);
  }
  for (const [program, ...names] of missing()) {
    say(`${program} is missing: the tests that need it fail or are left out. Install ${names.join(' and ')}.`);
  }
}
