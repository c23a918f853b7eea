import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { issueLicense } from '@gateway/access';
import { developmentSigningKey } from '@gateway/access/development-license';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, type ShellCommand, spokenCommandsOf, statementsOf } from './support/commands.ts';
import { type PreparedDatabase, prepareDatabase } from './support/prepared-database.ts';
import { type Ready, startStack } from './support/stack.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** tests/air-gapped.test.ts runs it from a release. */
const OF_A_RELEASE = 'site/pages/deployment/air-gapped.md';

/** Pages in an order in which each finds what an earlier one made: accounts before roles, checkpoints before their use. */
const FIRST = ['site/pages/operator/people.md', 'site/pages/auditor/verify.md', 'docs/workstations.md'];

function pages(): readonly string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name))
      .sort();
  const all = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'bench/README.md',
    ...below('docs'),
    ...below('site/pages'),
  ];
  return [...FIRST, ...all.filter((file) => !FIRST.includes(file))];
}

const COMMANDS = pages()
  .filter((file) => file !== OF_A_RELEASE)
  .flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return [...commandsOf(file, text), ...spokenCommandsOf(file, text)];
  });

/** Names of commands in running text, without arguments: their help is requested. */
const NAMES = [
  'gatewayctl account',
  'gatewayctl apply',
  'gatewayctl diff',
  'gatewayctl archive',
  'gatewayctl account disable',
  'gatewayctl grant',
  'gatewayctl revoke-role',
  'gatewayctl subject lift',
  'gatewayctl journal check',
  'gatewayctl policy explain',
  'gatewayctl policy install',
];

/** Commands that this test does not run, each with what does. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'pg_dump --format=custom --file=gateway.dump "$DATABASE_URL"':
    'tests/backup runs the drill of the page with the programs of PostgreSQL, which the packages do not bring',
  'pg_restore --dbname="$DATABASE_URL" gateway.dump': 'as pg_dump above',
  'pg_basebackup --dbname="$DATABASE_URL" --pgdata=base-backup --checkpoint=fast --wal-method=stream':
    'as pg_dump above',
  'openssl genpkey -algorithm ed25519 -out vendor.pem': 'a program of OpenSSL; this test makes the same key by itself',
  'openssl pkey -in vendor.pem -pubout -out vendor-public.pem':
    'as above; toolchain/license-key.test.ts builds with one',
  'npm start': 'tests/npm-start.test.ts runs it whole; this test stands on it too',
  'npm test': 'this test runs beside it',
  'npm test -- packages/ledger': 'a part of the tests by its path, as this run may be one',
  'npm run test:system': 'this test is part of it',
  'npm run test:full': 'it contains this test',
  'npm run check': 'npm test runs it before the tests',
  'npm run format': 'it writes into the checkout; npm run check holds what it would write',
  'npm run build': 'npm test runs it before the tests; tests/artifacts.test.ts looks at what it made',
  'deploy/image/build.sh':
    'it fetches a base image, which no test may; tests/deploy/image.test.ts runs it with another base',
  'npm start -- --engine http://localhost:11434 --model llama3.2':
    'tests/npm-start.test.ts puts a real engine behind with both options',
  'ENGINE_KEY=… npm start -- --engine https://engines.example --model some-model --engine-key-env ENGINE_KEY':
    'tests/npm-start.test.ts hands the key over by the same option',
  'npm start -- --env GATEWAY_ORGANIZATION=acme --env SOME_SECRET="$SOME_SECRET"':
    'apps/quickstart/src/environment.test.ts holds the option; the command serves until it is ended',
  'openssl genpkey -algorithm ed25519 -out private.pem':
    'a program of OpenSSL; toolchain/release.test.ts makes such a key',
  'npm run release -- --out ./gateway-1.2.0 --key private.pem': 'toolchain/release.test.ts makes a bundle',
  'gw verify ./gateway-1.2.0 --key publisher.pem --current 1.1.0':
    'apps/gw/src/cli/commands/verify.ts compares it with bundles',
  'gw login --gateway https://gateway.example':
    'it waits for a person; apps/gw/src/cli/commands/login.ts signs in at a directory',
  'gw serve --port 8000': 'apps/gw/src/cli/commands/serve.ts; it serves until it is ended',
  'gw replay SESSION --json': 'apps/gw/src/cli/commands/replay.ts; the name of a session is made again each time',
  'npx gatewayctl journal prove --request-id 4f1c --out proof.json':
    'apps/gatewayctl/src/commands/journal-proofs.test.ts: the request id is one of the reader',
  'npx gatewayctl journal keys endorse FINGERPRINT --author "Olga Operator"':
    'apps/gatewayctl/src/commands/journal.test.ts: the fingerprint is one of the reader',
  'gatewayctl migrate --baseline NUMBER':
    'apps/gatewayctl/src/commands/migrate.test.ts: it needs a database without a registry',
};

/** Commands that change the machine or a cluster of it, which no test may. `npm run boot` runs those of systemd in a machine of its own. */
const OF_THE_MACHINE = /^(?:systemctl|journalctl|patronictl|useradd|sudo |certutil |install |(?:cp|mv) \/|\/opt\/)/;

/** Statements of the page about a single machine; those of a fail-over are run by apps/gateway/src/store/failover.test.ts. */
const STATEMENTS = statementsOf(readFileSync(join(ROOT, 'site/pages/deployment/single-machine.md'), 'utf8'));

/** The authorization policies that the manual shows: one of them that may not be installed fails its `policy check`. */
const POLICIES = [
  ...readFileSync(join(ROOT, 'site/pages/operator/policy.md'), 'utf8').matchAll(/^```text\n(forbid[\s\S]*?)^```$/gm),
].map(([, text = '']) => text);

function aLicense(): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { licensee: 'Acme', deployment: 'manual', seats: null, capabilities: ['inference'], graceDays: 0 };
  return issueLicense({ ...claims, iat: now, exp: now + 86_400 }, developmentSigningKey());
}

/** What a developer's page about `gw` lets a reader write. */
function clientConfiguration(gateway: string): string {
  const model = '  - name: Coder\n    endpoint: demo\n    apiKey: ${{ env.GATEWAY_KEY }}\n';
  return `gateway: ${gateway}\nmodels:\n${model}`;
}

/** Of a directory, as the page about its settings looks into one. */
const TOKEN = `e30.${Buffer.from('{"aud":"another"}').toString('base64url')}.c2lnbmVk`;

let stack: Ready & { stop: () => Promise<number | null> };
let folder: string;
/** The database of the pages about deployment, made as they say. */
let server: PreparedDatabase;

beforeAll(async () => {
  [stack, server] = await Promise.all([startStack(), prepareDatabase(STATEMENTS)]);
  const called = await fetch(`${stack.gateway}/demo/v1/models`, { headers: { 'x-api-key': stack.keys.demo ?? '' } });
  expect(called.status).toBe(200);
  // Below node_modules, so that npx finds the commands of this checkout from here.
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'node_modules/.cache/manual-'));
  symlinkSync(join(ROOT, 'dist'), join(folder, 'dist'));
  writeFileSync(join(folder, 'license.jws'), await aLicense());
  const vendor = generateKeyPairSync('ed25519').privateKey;
  writeFileSync(join(folder, 'vendor.pem'), vendor.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(folder, 'grants.csv'), 'subject,role,project\nmanual-reader,utilisateur-standard,\n');
  writeFileSync(join(folder, 'policy.json'), '{"tools":{"exclude":["shell"]}}');
  writeFileSync(join(folder, 'policy.cedar'), POLICIES.join('\n'));
  mkdirSync(join(folder, '.gateway'));
  writeFileSync(join(folder, '.gateway/config.yaml'), clientConfiguration(stack.gateway));
});
afterAll(async () => {
  await stack?.stop();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The page's words for what a reader has of their own. */
function own(line: string): string {
  return line
    .replaceAll('http://localhost:6001', stack.gateway)
    .replaceAll('http://localhost:6002', stack.console)
    .replaceAll(/\bFILE\b/g, 'policy.json')
    .replaceAll('localhost:5432', server.host)
    .replaceAll('--entry 1204', '--entry 1')
    .replaceAll('--subject alice --from 2027-01-01 --until 2027-02-01', '--subject demo')
    .replaceAll(/\bSESSION\b/g, 'session-1')
    .replaceAll('/var/lib/gateway', join(folder, 'var'))
    .replace(/^gatewayctl.*/, (spoken) => `npx ${spoken}${NAMES.includes(spoken) ? ' --help' : ''}`);
}

/** Programs that `npx` found. It takes longer than most commands do, so each is looked for once. */
const foundByNpx = new Set<string>();
function withoutNpx(line: string): string {
  const [, program] = /^npx (\S+)/.exec(line) ?? [];
  if (program === undefined) return line;
  const isFound = foundByNpx.has(program);
  foundByNpx.add(program);
  return isFound ? line.replace(/^npx /, '') : line;
}

const SERVES = /(?:gateway|console)\.js$|journal witness/;
/** What a service prints once it listens. */
const LISTENS = / listens on |^Witness /m;

function run({ line }: ShellCommand): Promise<{ code: number | null; out: string; said: string }> {
  // A signal reaches the service itself: npx is not between.
  const shell = SERVES.test(line) ? `exec env ${own(line).replace(/^npx /, '')}` : withoutNpx(own(line));
  const child = spawn('sh', ['-c', shell], {
    cwd: folder,
    env: {
      PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      DATABASE_URL: stack.database.owner,
      GATEWAY_KEY: stack.keys.demo,
      TOKEN,
      npm_config_yes: 'false',
      HOST: '127.0.0.1',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (LISTENS.test(text)) child.kill('SIGTERM'); // a service is ended as its manager ends it
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, out, said }));
  });
}

/** Required output of a command, in addition to exit code 0. */
const SAYS: readonly (readonly [RegExp, RegExp])[] = [
  [/^curl .*chat\/completions/, /"choices":\[/],
  [/^curl .*_search/, /"answered":true/],
  [/account create/, /gwk_[0-9a-f]{48}/],
  [/journal verify --export/, /authorization_decisions: intact, \d+ entr/],
  [/"\$TOKEN"/, /"aud":"another"/],
  [SERVES, LISTENS],
  [/gw -p/, /./],
  [/--check-configuration/, /The configuration is valid/],
  [/migrate --status/, /0001/],
  [/--help/, /Usage/],
];

describe('the commands of README, documents and manual', () => {
  const seen = new Set<string>();
  const once = COMMANDS.filter(
    ({ line }) => !(line in ELSEWHERE) && !OF_THE_MACHINE.test(line) && !seen.has(line) && seen.add(line),
  );

  it.each(once)('$file: $line', async (command) => {
    const { code, out, said } = await run(command);
    expect({ code, said }).toMatchObject({ code: 0 });
    for (const [which, says] of SAYS) expect(!which.test(command.line) || says.test(out), out).toBe(true);
  });

  it('run here, except those that run elsewhere, all of which are still on the pages', () => {
    const lines = new Set(COMMANDS.map(({ line }) => line));
    expect(Object.keys(ELSEWHERE).filter((line) => !lines.has(line))).toEqual([]);
    expect(once.length).toBeGreaterThan(20);
  });
});
