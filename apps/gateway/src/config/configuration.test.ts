import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../profile/on-premise.ts';
import { profile as serverless } from '../profile/serverless.ts';
import { testLicense } from '../testing/license.ts';
import { readConfiguration, variablesOf } from './configuration.ts';

const SOUND = {
  DATABASE_URL: 'postgres://gateway_service:hidden-word@127.0.0.1:6000/gateway',
  ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
};

let folder: string;
let text: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-configuration-'));
  text = join(folder, 'text.pem');
  writeFileSync(text, 'no PEM at all');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const faultsOf = async (environment: Record<string, string | undefined>) =>
  (await readConfiguration({ ...SOUND, ...environment }, serverless)).faults;

describe('a sound environment', () => {
  // limits-1
  it('gives a frozen configuration with the documented defaults', async () => {
    const { configuration, faults } = await readConfiguration(SOUND, serverless);
    expect(faults).toEqual([]);
    expect(Object.isFrozen(configuration)).toBe(true);
    expect(configuration?.service).toMatchObject({
      port: 6001,
      host: null,
      tls: null,
      requestTimeout: 1_800_000,
      drainTimeout: 30_000,
      trustedProxies: null,
      stateDirectory: join(process.cwd(), '.gateway'),
      signingKeyFile: join(process.cwd(), '.gateway/signing-key.pem'),
      organization: null,
    });
    expect(configuration?.upstream).toMatchObject({
      httpsProxy: null,
      httpProxy: null,
      noProxy: null,
      idleTimeout: 300_000,
    });
  });
  it('takes blank values for absent ones', async () => {
    expect(await faultsOf({ PORT: ' ', HTTPS_PROXY: '', TLS_CERT_FILE: '  ', GATEWAY_ORGANIZATION: '' })).toEqual([]);
  });
  it('reads proxies in lower case too, the upper case first', async () => {
    const { configuration } = await readConfiguration(
      {
        ...SOUND,
        https_proxy: 'http://lower:1',
        http_proxy: 'http://lower:2',
        HTTP_PROXY: 'http://upper:3',
        no_proxy: 'h',
      },
      serverless,
    );
    expect(configuration?.upstream.httpsProxy?.host).toBe('lower:1');
    expect(configuration?.upstream.httpProxy?.host).toBe('upper:3');
    expect(configuration?.upstream.noProxy).toBe('h');
  });
  it('takes trusted proxies as addresses and networks', async () => {
    const { configuration } = await readConfiguration(
      { ...SOUND, GATEWAY_TRUSTED_PROXIES: '10.0.0.4, 192.168.0.0/16,fd00::/8' },
      serverless,
    );
    const list = configuration?.service.trustedProxies;
    expect([
      list?.check('10.0.0.4'),
      list?.check('10.0.0.5'),
      list?.check('192.168.3.4'),
      list?.check('fd12::1', 'ipv6'),
    ]).toEqual([true, false, true, true]);
  });
});

describe('a faulty environment', () => {
  it.each<[Record<string, string | undefined>, RegExp]>([
    [{ ADMIN_API_KEY: undefined }, /^ADMIN_API_KEY: is not set\. Set it to gwk_ followed by 48/],
    [{ ADMIN_API_KEY: '' }, /^ADMIN_API_KEY: is not set/],
    [{ ADMIN_API_KEY: 'hidden-word' }, /^ADMIN_API_KEY: is not an account key\. It must be gwk_/],
    [{ ADMIN_API_KEY: `gwk_${'01'.repeat(24)}` }, /^ADMIN_API_KEY: is too weak\. It must be .*10 of them different/],
    [{ DATABASE_URL: undefined }, /^DATABASE_URL: is not set/],
    [{ DATABASE_URL: 'mysql://h/x' }, /^DATABASE_URL: must begin with postgres/],
    [
      { DATABASE_URL: 'postgres://u:hidden-word@db.example/x?sslmode=disable' },
      /^DATABASE_URL: carries the parameter sslmode/,
    ],
    [
      { DATABASE_CA_CERT: 'x', DATABASE_CA_CERT_PATH: '/x' },
      /^DATABASE_CA_CERT_PATH: and DATABASE_CA_CERT are both set/,
    ],
    [{ DATABASE_CA_CERT: 'x' }, /^DATABASE_CA_CERT: contains no PEM certificate/],
    [{ DATABASE_CA_CERT_PATH: '/no/such' }, /^DATABASE_CA_CERT_PATH: names a file that cannot be read \(ENOENT\)/],
    [{ PORT: '70000' }, /^PORT: must be a whole number from 0 to 65535, not "70000"/],
    [{ PORT: '-1' }, /^PORT: must be a whole number/],
    [{ HOST: 'everywhere' }, /^HOST: must be an IP address/],
    [{ TLS_CERT_FILE: import.meta.filename }, /^TLS_KEY_FILE: is not set although TLS_CERT_FILE is/],
    [{ TLS_KEY_FILE: import.meta.filename }, /^TLS_CERT_FILE: is not set although TLS_KEY_FILE is/],
    [
      { TLS_KEY_FILE: import.meta.filename, TLS_CERT_FILE: import.meta.filename },
      /^TLS_CERT_FILE: and TLS_KEY_FILE are not a certificate and its private key/,
    ],
    [
      { GATEWAY_REQUEST_TIMEOUT_SECONDS: '0' },
      /^GATEWAY_REQUEST_TIMEOUT_SECONDS: must be a whole number from 1 to 86400, not "0"/,
    ],
    [{ GATEWAY_REQUEST_TIMEOUT_SECONDS: '86401' }, /^GATEWAY_REQUEST_TIMEOUT_SECONDS: must be a whole number/],
    [{ GATEWAY_REQUEST_TIMEOUT_SECONDS: '1e3' }, /^GATEWAY_REQUEST_TIMEOUT_SECONDS: must be a whole number/],
    [{ GATEWAY_DRAIN_SECONDS: 'soon' }, /^GATEWAY_DRAIN_SECONDS: must be a whole number from 0 to 3600/],
    [{ GATEWAY_BODY_MEMORY_MIB: '15' }, /^GATEWAY_BODY_MEMORY_MIB: must be a whole number from 16 to 65536/],
    [
      { GATEWAY_SHARE_PORT: 'true', GATEWAY_AGENT_LAUNCHER: 'process', GATEWAY_AGENT_WORKDIR: import.meta.dirname },
      /^GATEWAY_SHARE_PORT: cannot be true where GATEWAY_AGENT_LAUNCHER is set/,
    ],
    [{ GATEWAY_SHARE_PORT: '1' }, /^GATEWAY_SHARE_PORT: must be true or false, not "1"/],
    [{ GATEWAY_UPSTREAM_IDLE_SECONDS: '0' }, /^GATEWAY_UPSTREAM_IDLE_SECONDS: must be a whole number/],
    [{ HTTPS_PROXY: 'socks5://user:hidden-word@h:1' }, /^HTTPS_PROXY: is not the address of a proxy/],
    [{ HTTP_PROXY: 'http://u:hidden-word@h:1/path' }, /^HTTP_PROXY: is not the address of a proxy/],
    [{ HTTPS_PROXY: 'http://u:hidden-word%@h:1' }, /^HTTPS_PROXY: has a user or a password with a broken/],
    [{ HTTP_PROXY: 'http://hidden-word%zz@h:1' }, /^HTTP_PROXY: has a user or a password with a broken/],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, /^HTTPS_PROXY: is not the address of a proxy/],
    [{ UPSTREAM_TLS_CA_FILE: '/no/such' }, /^UPSTREAM_TLS_CA_FILE: names a file that cannot be read/],
    [{ UPSTREAM_TLS_CA_FILE: import.meta.filename }, /^UPSTREAM_TLS_CA_FILE: contains no PEM certificate/],
    [{ UPSTREAM_TLS_CLIENT_KEY_FILE: import.meta.filename }, /^UPSTREAM_TLS_CLIENT_CERT_FILE: is not set although/],
    [{ UPSTREAM_TLS_CLIENT_CERT_FILE: import.meta.filename }, /^UPSTREAM_TLS_CLIENT_KEY_FILE: is not set although/],
    [
      { UPSTREAM_TLS_CLIENT_KEY_FILE: import.meta.filename, UPSTREAM_TLS_CLIENT_CERT_FILE: import.meta.filename },
      /^UPSTREAM_TLS_CLIENT_CERT_FILE: and UPSTREAM_TLS_CLIENT_KEY_FILE are not a certificate/,
    ],
    [{ OIDC_TLS_CA_FILE: '/no/such' }, /^OIDC_TLS_CA_FILE: names a file that cannot be read/],
    [{ OIDC_TLS_CA_FILE: import.meta.filename }, /^OIDC_TLS_CA_FILE: contains no PEM certificate/],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /^NODE_TLS_REJECT_UNAUTHORIZED: must not be 0/],
    [{ GATEWAY_TRUSTED_PROXIES: '10.0.0.0/8,nobody' }, /^GATEWAY_TRUSTED_PROXIES: "nobody" is neither an address/],
    [{ GATEWAY_TRUSTED_PROXIES: '10.0.0.0/33' }, /^GATEWAY_TRUSTED_PROXIES: "10\.0\.0\.0\/33" is neither an address/],
  ])('%j is one fault that names its variable and shows no secret', async (environment, line) => {
    const faults = await faultsOf(environment);
    expect(faults).toEqual([expect.stringMatching(line)]);
    expect(faults[0]).not.toMatch(/hidden-word|\n/);
  });

  it('is reported whole, and gives no configuration', async () => {
    const { configuration, faults, database } = await readConfiguration(
      { PORT: 'x', GATEWAY_DRAIN_SECONDS: 'y', HTTPS_PROXY: 'z', TLS_KEY_FILE: text },
      serverless,
    );
    expect(configuration).toBeNull();
    expect(database).toBeNull();
    expect(faults.map((fault) => fault.split(':', 1)[0])).toEqual([
      'DATABASE_URL',
      'PORT',
      'TLS_CERT_FILE',
      'GATEWAY_DRAIN_SECONDS',
      'HTTPS_PROXY',
      'ADMIN_API_KEY',
    ]);
  });

  it('keeps a valid database address, so that its own faults can be reported, too', async () => {
    const { configuration, database } = await readConfiguration({ ...SOUND, PORT: 'x' }, serverless);
    expect(configuration).toBeNull();
    expect(database).toMatchObject({ host: '127.0.0.1', port: 6000 });
  });
});

describe('the profiles', () => {
  it('ask for the administrator key in the hosted build alone', async () => {
    const { faults } = await readConfiguration({ DATABASE_URL: SOUND.DATABASE_URL }, onPremise);
    expect(faults).not.toContainEqual(expect.stringMatching(/ADMIN_API_KEY/));
  });
  it('describe every variable once, with what the reference documentation shows', () => {
    for (const profile of [serverless, onPremise]) {
      const variables = variablesOf(profile);
      expect(new Set(variables.map(({ name }) => name)).size).toBe(variables.length);
      for (const { name, form, effect } of variables) {
        expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
        expect(form).not.toBe('');
        expect(effect).toMatch(/\.$/);
      }
    }
  });
});

describe('an identity provider', () => {
  const read = async (environment: Record<string, string>) =>
    (await readConfiguration({ ...SOUND, ...environment }, serverless)).configuration?.directory;
  const BOTH = { OIDC_ISSUER: 'https://directory.example/realm', OIDC_CLIENT_ID: 'gateway' };

  it('is none where none is named', async () => {
    expect(await read({})).toEqual({ directory: null, notice: null });
  });
  it('expects its client as audience and `sub` as subject by default', async () => {
    expect((await read(BOTH))?.directory).toEqual({
      issuer: 'https://directory.example/realm',
      clientId: 'gateway',
      audience: 'gateway',
      subjectClaim: 'sub',
      ca: [],
    });
    const more = { ...BOTH, OIDC_AUDIENCE: 'api', OIDC_SUBJECT_CLAIM: 'preferred_username' };
    expect((await read(more))?.directory).toMatchObject({ audience: 'api', subjectClaim: 'preferred_username' });
  });
  it.each<[Record<string, string>, string]>([
    [{ OIDC_CLIENT_ID: 'gateway' }, 'OIDC_ISSUER is not'],
    [{ OIDC_ISSUER: 'https://directory.example' }, 'OIDC_CLIENT_ID is not'],
    [{ ...BOTH, OIDC_ISSUER: 'http://directory.example' }, 'OIDC_ISSUER does not start with https://'],
    [{ ...BOTH, OIDC_ISSUER: 'https://directory.example?x' }, 'OIDC_ISSUER carries a query'],
    [{ ...BOTH, OIDC_ISSUER: 'https://u:hidden-word@directory.example' }, 'OIDC_ISSUER carries a user name'],
    [{ ...BOTH, OIDC_ISSUER: 'directory' }, 'OIDC_ISSUER is not an absolute URL'],
  ])('that cannot be accepted is ignored and logged for the operator: %j', async (environment, notice) => {
    const outcome = await read(environment);
    expect(outcome?.directory).toBeNull();
    expect(outcome?.notice).toContain(notice);
    expect(outcome?.notice).toContain('every token is refused');
    expect(outcome?.notice).not.toContain('hidden-word');
  });
});

describe('a license', () => {
  const licenseFaults = async (environment: Record<string, string>) =>
    (await readConfiguration({ DATABASE_URL: SOUND.DATABASE_URL, ...environment }, onPremise)).faults;
  const DAY = 86_400;
  const now = Math.floor(Date.now() / 1000);

  it('is read from its variable or from a file, spaces around it or not', async () => {
    const license = await testLicense();
    const file = join(folder, 'license');
    writeFileSync(file, `${license}\n`);
    for (const environment of [{ GATEWAY_LICENSE: ` ${license} ` }, { GATEWAY_LICENSE_FILE: file }]) {
      const { configuration } = await readConfiguration({ ...SOUND, ...environment }, onPremise);
      expect(configuration?.profile.license.text).toBe(license);
    }
  });
  it('that expired is good through its grace', async () => {
    const license = await testLicense({ exp: now - DAY, graceDays: 2 });
    expect(await licenseFaults({ GATEWAY_LICENSE: license })).toEqual([]);
  });
  it.each<[string, () => Promise<Record<string, string>> | Record<string, string>, RegExp]>([
    ['missing', () => ({}), /^GATEWAY_LICENSE: is not set\. .*GATEWAY_LICENSE_FILE/],
    [
      'given twice',
      () => ({ GATEWAY_LICENSE: 'a', GATEWAY_LICENSE_FILE: 'b' }),
      /^GATEWAY_LICENSE: and GATEWAY_LICENSE_FILE are both set/,
    ],
    [
      'in a file that is not there',
      () => ({ GATEWAY_LICENSE_FILE: '/no/such' }),
      /^GATEWAY_LICENSE_FILE: names a file that cannot be read/,
    ],
    [
      'unreadable',
      () => ({ GATEWAY_LICENSE: 'hidden-word' }),
      /^GATEWAY_LICENSE: the license cannot be accepted: it is not a license/,
    ],
    [
      'unreadable in its file',
      () => ({ GATEWAY_LICENSE_FILE: text }),
      /^GATEWAY_LICENSE_FILE: the license cannot be accepted/,
    ],
    [
      'badly signed',
      async () => ({ GATEWAY_LICENSE: `${(await testLicense()).slice(0, -8)}AAAAAAAA` }),
      /^GATEWAY_LICENSE: .*signature/,
    ],
    [
      'expired beyond its grace',
      async () => ({ GATEWAY_LICENSE: await testLicense({ exp: now - 3 * DAY, graceDays: 2 }) }),
      /^GATEWAY_LICENSE: the license expired, and its grace elapsed on \d{4}-\d\d-\d\d/,
    ],
    // refusals-23
  ])('%s keeps the gateway from starting', async (_, environment, line) => {
    const faults = await licenseFaults(await environment());
    expect(faults).toEqual([expect.stringMatching(line)]);
    expect(faults[0]).not.toMatch(/hidden-word|\n/);
  });
});
