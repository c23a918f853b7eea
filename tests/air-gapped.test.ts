import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareServer, type Server } from './backup/server.ts';

// The page about an installation without a network: its commands, in their order, in a release that stands alone. The sandbox has
// no network but its own loopback, so PostgreSQL is reached over a socket in the file system.
const ROOT = fileURLToPath(new URL('..', import.meta.url));

let folder: string;
let release: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'air-gapped-'));
  release = join(folder, 'gateway');
  const [publisher, vendor] = [keyPair('publisher'), keyPair('vendor')];
  execFileSync(process.execPath, ['toolchain/release.ts', '--out', release, '--key', publisher.privateKey], {
    cwd: ROOT,
    env: { ...process.env, GATEWAY_LICENSE_PUBLIC_KEY_FILE: vendor.publicKey },
  });
  const words = ['license', 'issue', '--licensee', 'Acme', '--deployment', 'test', '--signing-key', vendor.privateKey];
  writeFileSync(join(folder, 'license.jws'), execFileSync(join(release, 'bin/gatewayctl'), words));
  server = await prepareServer(mkdtempSync(join(tmpdir(), 'gateway-database-')), {
    port: 5432, // names the socket; nothing listens on it
    settings: (sockets) => ["listen_addresses = ''", `unix_socket_directories = '${sockets}'`],
  });
  server.start();
}, 900_000); // it builds both artifacts and the manual
afterAll(() => {
  server?.remove();
  rmSync(folder, { recursive: true, force: true });
});

function keyPair(name: string): { readonly privateKey: string; readonly publicKey: string } {
  const [privateKey, publicKey] = [join(folder, `${name}-private.pem`), join(folder, `${name}.pem`)];
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', privateKey]);
  execFileSync('openssl', ['pkey', '-in', privateKey, '-pubout', '-out', publicKey]);
  return { privateKey, publicKey };
}

const ENGINE = `require('node:http').createServer((request, response) => request.resume().once('end', () =>
  response.writeHead(200, { 'content-type': 'application/json' })
    .end('{"choices":[{"message":{"role":"assistant","content":"Hello."}}]}'))).listen(8080, '127.0.0.1')`;

/** What a reader of the page does, as one script. */
function script(page: string): string {
  const psql = (address: string, statements: string): string =>
    `${server.bin}/psql --quiet --set ON_ERROR_STOP=1 '${address}' <<'SQL'\n${statements}SQL`;
  const atSocket = (role: string, database: string): string => `postgres://${role}@/${database}?host=${server.archive}`;
  const administrator = atSocket(
    new URL(server.ownerUrl).username + ':' + new URL(server.ownerUrl).password,
    'postgres',
  );
  const steps = [...page.matchAll(/^```(sh|sql|yaml)\n([\s\S]*?)^```$/gm)].map(([, language, body = '']) => {
    if (language === 'yaml') return `cat >gateway.yaml <<'YAML'\n${body}YAML`;
    if (language === 'sql')
      return psql(body.includes('create database') ? administrator : atSocket('owner:password', 'gateway'), body);
    return body
      .replaceAll(/postgres:\/\/(\S+?)@localhost:5432\/gateway/g, (_, role: string) => `'${atSocket(role, 'gateway')}'`)
      .replace(/^bin\/gatewayctl account create casey$/m, 'bin/gatewayctl account create casey | tee account.txt')
      .replace('KEY"', '$(grep -o "gwk_[0-9a-f]*" account.txt)"')
      .replace(
        /^ {2}bin\/gateway$/m,
        '  bin/gateway >gateway.log 2>&1 &\nuntil grep "listens on" gateway.log; do kill -0 $! || { cat gateway.log; exit 1; }; sleep .1; done',
      );
  });
  return [
    'set -eu',
    `cp ${folder}/publisher.pem ${folder}/license.jws .`,
    `runtime/node -e "$ENGINE" &`,
    ...steps,
  ].join('\n');
}

it('a call is served and recorded from the release alone, without a network', () => {
  const guide = readFileSync(join(release, 'INSTALL.md'), 'utf8');
  expect(guide.match(/\]\(manual\/[a-z/-]+\.html/g)?.length).toBeGreaterThan(3);
  const sandbox = [
    '--unshare-net',
    '--unshare-pid',
    '--die-with-parent',
    '--dev-bind',
    '/',
    '/',
    '--tmpfs',
    ROOT,
    '--chdir',
    release,
  ];
  const { status, stdout, stderr } = spawnSync('bwrap', [...sandbox, 'bash', '-c', script(guide)], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', HOME: folder, ENGINE },
  });
  expect([status, stderr.includes('rror')], stderr).toEqual([0, false]);
  expect(stdout).toContain('Signature Verified Successfully');
  expect(stdout).toContain('"content":"Hello."');
  expect(stdout).toMatch(/casey.*chat|chat.*casey/);
  expect(stdout).toMatch(/^authorization_decisions: intact, [1-9]/m);
});
