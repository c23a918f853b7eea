import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Commands, openCommands } from './testing/commands.ts';

// Many tests start the program several times.
vi.setConfig({ testTimeout: 120_000 });

let at: Commands;
beforeAll(async () => {
  at = await openCommands();
});
afterAll(() => at.close());
const GRANT = ['grant', 'alice', 'utilisateur-standard', 'root'];

describe('the command line', () => {
  // client-27
  it('shows help, and calls everything it does not know wrong usage', async () => {
    const help = await at.ctl('--help');
    expect(help.code).toBe(0);
    for (const word of [
      'migrate',
      'grant',
      'revoke-role',
      'roles',
      'account',
      'subject',
      'session',
      'organization',
      'journal',
    ]) {
      expect(help.out).toContain(word);
    }
    expect((await at.ctl('journal', 'verify', '--help')).out).toContain('--since');
    for (const words of [
      [],
      ['nonsense'],
      ['journal'],
      ['journal', 'nonsense'],
      ['roles', 'a', 'b'],
      ['roles', '--nonsense'],
    ]) {
      const ran = await at.ctl(...words);
      expect([words, ran.code]).toEqual([words, 2]);
      expect(ran.err).not.toMatch(/^\s+at /m);
    }
  });

  it('writes only through its terminal, also for commands in nested groups', async () => {
    const help = await at.ctl('organization', 'policy', 'install', '--help');
    expect(help).toMatchObject({ code: 0, err: '', out: expect.stringContaining('--valid-from') as string });
    const wrong = await at.ctl('organization', 'policy', 'install');
    expect(wrong).toEqual({
      code: 2,
      out: '',
      err: [
        "error: missing required argument 'slug'",
        'Usage: gatewayctl organization policy install [options] <slug> <file>',
        'Examples: gatewayctl organization policy install --help',
        '',
      ].join('\n'),
    });
  });

  it.each([
    [['--json', 'roles', 'nobody']],
    [['roles', '--json', 'nobody']],
    [['roles', 'nobody', '--json']],
    [['--json', 'roles', 'nobody', '--json']],
  ])('takes --json before the command and after it: %j', async (words) => {
    expect(await at.ctl(...words)).toEqual({ code: 0, out: '[]\n', err: '' });
  });
  it('takes --json between the words of a command, and not after the end of options', async () => {
    expect(JSON.parse((await at.ctl('account', '--json', 'list')).out)).toEqual(expect.any(Array));
    expect((await at.ctl('roles', '--', '--json')).out).toBe('--json has no role.\n');
  });

  it.each([
    [
      ['grant', 'ann', 'chef-projet', 'root', '--project', 'a', '--project', 'b'],
      '--project is given twice. Keep one.',
    ],
    [['account', 'create', 'ann', '--label', 'first', '--label=first'], '--label is given twice. Keep one.'],
    [
      ['subject', 'revoke', 'ann', '--author', 'a', '--reason', 'r', '--reason', 's'],
      '--reason is given twice. Keep one.',
    ],
    [['session', 'standing', ''], 'The session must not be empty.'],
    [['secrets', 'scan', 'a-file', ''], 'The file must not be empty.'],
    [['journal', 'export', '--output', ''], '--output must not be empty.'],
    [['journal', 'verify', '--public-key', 'a-file', ''], '--public-key must not be empty.'],
  ])('takes no option twice, and no empty word: %j', async (words, sentence) => {
    expect(await at.ctl(...words)).toEqual({ code: 2, out: '', err: `gatewayctl: ${sentence}\n` });
  });
  it('takes an option that has several values once for each, and an option that has none any number of times', async () => {
    const twice = await at.ctl('journal', 'verify', '--public-key', 'no-file', '--public-key', 'none-either');
    expect(twice).toMatchObject({ code: 1, err: expect.stringMatching(/^gatewayctl: .*no-file/) as string });
    expect((await at.ctl('migrate', '--status', '--status')).code).toBe(0);
  });

  it('reports in one line what is wrong with the database address, never its password', async () => {
    const wrong: [string | undefined, RegExp, number][] = [
      [undefined, /DATABASE_URL is not set/, 2],
      ['nonsense', /DATABASE_URL is not a usable address/, 1],
      ['postgres://o:secret@127.0.0.1/d?sslmode=disable', /DATABASE_URL carries the parameter sslmode/, 1],
      [at.database.gatewayUrl, /permission denied .* must be the address of the owner/, 1],
      ['postgres://o:secret@127.0.0.1:1/d', /cannot be reached: nothing listens there/, 1],
      [
        Object.assign(new URL(at.database.ownerUrl), { password: 'secret' }).href,
        /DATABASE_URL refuses the connection: password authentication failed/,
        1,
      ],
      [
        Object.assign(new URL(at.database.ownerUrl), { pathname: '/no' }).href,
        /DATABASE_URL refuses .*"no" does not/,
        1,
      ],
    ];
    for (const [databaseUrl, expected, code] of wrong) {
      const ran = await at.ctlWith({ databaseUrl }, 'journal', 'checkpoint');
      expect(ran).toMatchObject({ code, err: expect.stringMatching(expected) as string });
      expect(ran.err).toMatch(/^gatewayctl: [^\n]+\n$/);
      expect(ran.err).not.toContain('secret');
    }
  });
});

describe('the signing key', () => {
  it('is made at the first act, readable by its owner alone, and used again', async () => {
    expect((await at.ctl(...GRANT)).code).toBe(0);
    const key = join(at.directory, 'state', 'key.pem');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const text = readFileSync(key, 'utf8');
    await at.ctl('revoke-role', 'alice', 'utilisateur-standard', 'root');
    expect(readFileSync(key, 'utf8')).toBe(text);
    expect((await at.database.sql`select from signing_keys`).length).toBe(1);
  });

  it('made by several commands at once is one key', async () => {
    const signingKeyFile = join(at.directory, 'shared', 'key.pem');
    const subjects = ['s1', 's2', 's3', 's4', 's5'];
    const ran = await Promise.all(
      subjects.map((subject) => at.ctlWith({ signingKeyFile }, 'grant', subject, 'auditeur', 'root')),
    );
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect((await at.database.sql`select from signing_keys`).length).toBe(2);
  });

  it('that cannot be used is refused, and nothing is changed', async () => {
    const signingKeyFile = join(at.directory, 'broken.pem');
    writeFileSync(signingKeyFile, 'nothing');
    chmodSync(signingKeyFile, 0o600);
    const refused = await at.ctlWith({ signingKeyFile }, 'grant', 'bob', 'auditeur', 'root');
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/not a readable private key/) as string });
    const folder = join(at.directory, 'folder');
    mkdirSync(folder);
    const unreadable = await at.ctlWith({ signingKeyFile: folder }, 'grant', 'bob', 'auditeur', 'root');
    expect(unreadable).toMatchObject({ code: 1, err: expect.stringMatching(/GATEWAY_SIGNING_KEY_FILE/) as string });
    expect(await at.database.sql`select from role_assignments where subject = 'bob'`).toEqual([]);
  });
});

describe('the program', () => {
  const MAIN = new URL('../../../dist/on-premise/gatewayctl.js', import.meta.url).pathname;
  const program = (words: string[], environment: Record<string, string>) =>
    spawnSync(process.execPath, [MAIN, ...words], { encoding: 'utf8', env: { HOME: at.directory, ...environment } });

  it('works with DATABASE_URL alone, and keeps its key in the state directory of the user', () => {
    const ran = program(['grant', 'zoe', 'auditeur', 'root', '--json'], { DATABASE_URL: at.database.ownerUrl });
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ subject: 'zoe', granted: true });
    const key = join(at.directory, '.local', 'state', 'gateway', 'gatewayctl-signing-key.pem');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(program(['journal', 'verify'], { DATABASE_URL: at.database.ownerUrl }).status).toBe(0);
  });

  it('counts a blank variable as absent, and refuses an authority that is none', () => {
    expect(program(['roles'], { DATABASE_URL: ' ' })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/DATABASE_URL is not set/) as string,
    });
    const authority = { DATABASE_URL: at.database.ownerUrl, DATABASE_CA_CERT_PATH: MAIN };
    expect(program(['roles'], authority)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^gatewayctl: DATABASE_CA_CERT_PATH: .*gatewayctl\.js contains no PEM certificate/,
      ) as string,
    });
    // TLS would pass over a broken certificate behind one that can be read.
    const broken = join(at.directory, 'authorities.pem');
    writeFileSync(broken, `${rootCertificates[0]}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`);
    expect(program(['roles'], { ...authority, DATABASE_CA_CERT_PATH: broken })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^gatewayctl: DATABASE_CA_CERT_PATH: .*authorities\.pem contains no PEM certificate that can be read/,
      ) as string,
    });
  });

  it('takes the authority as text too, and once', () => {
    const address = { DATABASE_URL: at.database.ownerUrl };
    const text = String(rootCertificates[0]);
    // An authority asks for TLS, which the test's server does not offer: the text was read and used.
    const offered = /^gatewayctl: .*TLS/;
    expect(program(['roles'], { ...address, DATABASE_CA_CERT: text }).stderr).toMatch(offered);
    expect(program(['roles'], { ...address, DATABASE_CA_CERT: 'no certificate' })).toMatchObject({
      status: 1,
      stderr: 'gatewayctl: DATABASE_CA_CERT: contains no PEM certificate that can be read.\n',
    });
    expect(program(['roles'], { ...address, DATABASE_CA_CERT: text, DATABASE_CA_CERT_PATH: MAIN })).toMatchObject({
      status: 1,
      stderr: 'gatewayctl: DATABASE_CA_CERT_PATH and DATABASE_CA_CERT are both set. Keep one.\n',
    });
  });

  /** Runs a command line of a shell in which `ctl` is the program, and `code` keeps how the command before it ended. */
  const shell = (line: string) => {
    const kept = join(at.directory, 'code');
    const definitions = `ctl() { "${process.execPath}" "${MAIN}" "$@"; }; code() { echo $? > "${kept}"; }; `;
    const environment = { HOME: at.directory, PATH: process.env['PATH'] ?? '', DATABASE_URL: at.database.ownerUrl };
    const { stderr } = spawnSync('sh', ['-c', definitions + line], { encoding: 'utf8', env: environment });
    return { code: Number(readFileSync(kept, 'utf8')), stderr };
  };

  it.runIf(existsSync('/dev/full'))('reports in one line that its output cannot be written', () => {
    for (const words of ['roles', 'journal verify', '--help']) {
      expect(shell(`ctl ${words} > /dev/full; code`)).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^gatewayctl: Standard output cannot be written: ENOSPC[^\n]*\n$/),
      });
    }
  });

  it('ends as it would have where nobody reads its output any more', async () => {
    const out = join(at.directory, 'note');
    expect(shell(`{ ctl journal checkpoint --output "${out}"; code; } | true`)).toEqual({ code: 0, stderr: '' });
    expect(shell('{ ctl journal export --chain actions; code; } | true')).toEqual({ code: 0, stderr: '' });
    await at.database.sql`alter table administration_actions disable trigger user`;
    await at.database.sql`update administration_actions set author = 'nobody'`;
    expect(shell('{ ctl journal verify; code; } | true')).toMatchObject({ code: 1 });
    expect(shell('{ ctl nonsense; code; } 2>&1 | true').code).toBe(2);
  });

  it('prints the version of the product', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    for (const word of ['--version', '-V']) {
      expect(program([word], {})).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    }
  });

  it('ends with 2 and the usage where it is called wrongly, with 1 where it fails', () => {
    const wrong = program(['grant', 'zoe'], { DATABASE_URL: at.database.ownerUrl });
    expect([wrong.status, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toMatch(
      /^error: missing required argument 'role'\nUsage: gatewayctl grant [^\n]+\nExamples: [^\n]+\n$/,
    );
    expect(program(['roles'], {}).status).toBe(2);
    expect(program(['roles'], { DATABASE_URL: 'postgres://a@127.0.0.1:1/b' }).status).toBe(1);
  });
});
