import type { TestDatabase } from '@gateway/database/testing';
import type { Given } from '../../testing/ended.ts';
import { testLicense } from '../../testing/license.ts';

/** Must never appear in a line: it is part of every variable that may contain a secret. */
const HIDDEN = 'hidden-word';
const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);

/** The parameters of the rows, known once everything below is set up. */
export interface CauseDependencies {
  readonly database: TestDatabase;
  readonly unmigrated: TestDatabase;
  /** A path below the folder of the test. */
  readonly file: (name: string) => string;
}

/** A cause of a refused start (refusals-20), the faulty variables, and the expected lines. */
type Cause = [
  cause: number,
  what: string,
  profile: 'serverless' | 'on-premise',
  faulty: (dependencies: CauseDependencies) => Given | Promise<Given>,
  lines: readonly RegExp[],
];

export const CAUSES: readonly Cause[] = [
  [1, 'no administration key', 'serverless', () => ({ ADMIN_API_KEY: undefined }), [/^ADMIN_API_KEY: is not set/]],
  [1, 'an empty administration key', 'serverless', () => ({ ADMIN_API_KEY: '' }), [/^ADMIN_API_KEY: is not set/]],
  [1, 'another text', 'serverless', () => ({ ADMIN_API_KEY: HIDDEN }), [/^ADMIN_API_KEY: is not an account key/]],
  [
    1,
    'a weak key',
    'serverless',
    () => ({ ADMIN_API_KEY: `gwk_${'01'.repeat(24)}` }),
    [/^ADMIN_API_KEY: is too weak\. It must be/],
  ],
  [2, 'no database address', 'serverless', () => ({ DATABASE_URL: undefined }), [/^DATABASE_URL: is not set/]],
  [2, 'no database address', 'on-premise', () => ({ DATABASE_URL: ' ' }), [/^DATABASE_URL: is not set/]],
  ...['sslmode=disable', 'ssl=true', 'sslrootcert=/x', 'sslcert=/x'].map(
    (parameter): Cause => [
      2,
      `the parameter ${parameter} in the address`,
      'serverless',
      ({ database }) => ({ DATABASE_URL: `${database.gatewayUrl}?${parameter}` }),
      [/^DATABASE_URL: carries the parameter ssl/],
    ],
  ),
  [3, 'no license', 'on-premise', () => ({ GATEWAY_LICENSE: undefined }), [/^GATEWAY_LICENSE: is not set/]],
  [3, 'a license that is none', 'on-premise', () => ({ GATEWAY_LICENSE: HIDDEN }), [/^GATEWAY_LICENSE: the license/]],
  [
    3,
    'a license in no file',
    'on-premise',
    () => ({ GATEWAY_LICENSE: undefined, GATEWAY_LICENSE_FILE: '/no/such' }),
    [/^GATEWAY_LICENSE_FILE: names a file that cannot be read \(ENOENT\)/],
  ],
  [
    3,
    'a license of another signer',
    'on-premise',
    async () => ({ GATEWAY_LICENSE: `${(await testLicense()).slice(0, -8)}AAAAAAAA` }),
    [/^GATEWAY_LICENSE: .*signature/],
  ],
  [
    3,
    'a license beyond its grace',
    'on-premise',
    async () => ({ GATEWAY_LICENSE: await testLicense({ exp: now - 3 * DAY, graceDays: 2 }) }),
    [/^GATEWAY_LICENSE: the license expired, and its grace elapsed on/],
  ],
  [
    4,
    'the owner of the database',
    'serverless',
    ({ database }) => ({ DATABASE_URL: database.ownerUrl }),
    [/^DATABASE_URL: The database role .* could rewrite or erase/],
  ],
  [
    4,
    'the role of the console',
    'on-premise',
    ({ database }) => ({ DATABASE_URL: database.consoleUrl }),
    [/^DATABASE_URL: /],
  ],
  [
    4,
    'a database without its migrations',
    'serverless',
    ({ unmigrated }) => ({ DATABASE_URL: unmigrated.gatewayUrl }),
    [/^DATABASE_URL: .*gatewayctl migrate/],
  ],
  [
    4,
    'a role that may not look into the database',
    'serverless',
    async ({ database }) => {
      await database.sql`revoke usage on schema public from gateway_service`;
      return { DATABASE_URL: database.gatewayUrl };
    },
    [/^DATABASE_URL: The database role lacks USAGE on the schema public: the service-role migration was not applied/],
  ],
  [
    4,
    'a member of the owner',
    'serverless',
    async ({ database }) => {
      await database.sql`grant usage on schema public to gateway_service`;
      await database.sql`create role owners_member login password 'x' in role gateway_owner, gateway_service`;
      return { DATABASE_URL: database.gatewayUrl.replace(/\/\/[^@]*@/, '//owners_member:x@') };
    },
    [/^DATABASE_URL: The database role owners_member .*gateway_owner, which it may become/],
  ],
  [5, 'a proxy that is no URL', 'serverless', () => ({ HTTPS_PROXY: `u:${HIDDEN}@h` }), [/^HTTPS_PROXY: is not the/]],
  [5, 'a port without a listener', 'serverless', () => ({ HTTP_PROXY: 'http://h:0' }), [/^HTTP_PROXY: is not the/]],
  [5, 'another scheme', 'on-premise', () => ({ HTTP_PROXY: `socks5://u:${HIDDEN}@h` }), [/^HTTP_PROXY: is not the/]],
  [
    5,
    'authorities that cannot be read',
    'serverless',
    () => ({ UPSTREAM_TLS_CA_FILE: '/no/such' }),
    [/^UPSTREAM_TLS_CA_FILE: names a file that cannot be read/],
  ],
  [
    5,
    'authorities that are none',
    'serverless',
    ({ file }) => ({ UPSTREAM_TLS_CA_FILE: file('text') }),
    [/^UPSTREAM_TLS_CA_FILE: contains no PEM certificate/],
  ],
  [
    5,
    'authorities of which one is broken',
    'serverless',
    ({ file }) => ({ UPSTREAM_TLS_CA_FILE: file('broken.pem') }),
    [/^UPSTREAM_TLS_CA_FILE: holds a certificate that cannot be read/],
  ],
  [
    5,
    'an empty certificate for the providers',
    'serverless',
    ({ file }) => ({ UPSTREAM_TLS_CLIENT_CERT_FILE: file('empty'), UPSTREAM_TLS_CLIENT_KEY_FILE: file('empty') }),
    [/^UPSTREAM_TLS_CLIENT_CERT_FILE: and UPSTREAM_TLS_CLIENT_KEY_FILE are not a certificate .*\(empty\)/],
  ],
  [
    6,
    'an empty certificate and an empty key',
    'serverless',
    ({ file }) => ({ TLS_CERT_FILE: file('empty'), TLS_KEY_FILE: file('empty') }),
    [/^TLS_CERT_FILE: and TLS_KEY_FILE are not a certificate .*\(empty\)/],
  ],
  [
    6,
    'a certificate without its key',
    'serverless',
    ({ file }) => ({ TLS_CERT_FILE: file('cert.pem') }),
    [/^TLS_KEY_FILE: is not set although TLS_CERT_FILE is/],
  ],
  [
    6,
    'a key without its certificate',
    'on-premise',
    ({ file }) => ({ TLS_KEY_FILE: file('key.pem') }),
    [/^TLS_CERT_FILE: is not set although TLS_KEY_FILE is/],
  ],
  [
    6,
    'the key of another certificate',
    'serverless',
    ({ file }) => ({ TLS_CERT_FILE: file('cert.pem'), TLS_KEY_FILE: file('other-key.pem') }),
    [/^TLS_CERT_FILE: and TLS_KEY_FILE are not a certificate and its private key/],
  ],
  [
    6,
    'an authority of the database that is none',
    'serverless',
    () => ({ DATABASE_CA_CERT: 'no PEM' }),
    [/^DATABASE_CA_CERT: contains no PEM certificate/],
  ],
  [
    6,
    'two authorities of the database',
    'serverless',
    ({ file }) => ({ DATABASE_CA_CERT: 'x', DATABASE_CA_CERT_PATH: file('cert.pem') }),
    [/^DATABASE_CA_CERT_PATH: and DATABASE_CA_CERT are both set/],
  ],
  ...['0', '86401', 'soon'].map(
    (cap): Cause => [
      6,
      `a duration cap of ${cap}`,
      'serverless',
      () => ({ GATEWAY_REQUEST_TIMEOUT_SECONDS: cap }),
      [/^GATEWAY_REQUEST_TIMEOUT_SECONDS: must be a whole number from 1 to 86400/],
    ],
  ),
  [
    7,
    'a documentation folder that is not there',
    'serverless',
    () => ({ GATEWAY_DOCS_DIR: '/no/such' }),
    [/^GATEWAY_DOCS_DIR: /],
  ],
  [
    7,
    'a folder without an identity card',
    'on-premise',
    ({ file }) => ({ GATEWAY_DOCS_DIR: file('cardless') }),
    [/^GATEWAY_DOCS_DIR: .*archive\.json/],
  ],
  [
    7,
    'a card without a version',
    'serverless',
    ({ file }) => ({ GATEWAY_DOCS_DIR: file('versionless') }),
    [/^GATEWAY_DOCS_DIR: .*version/],
  ],
  [
    7,
    'a card with a path that is not served',
    'serverless',
    ({ file }) => ({ GATEWAY_DOCS_DIR: file('elsewhere') }),
    [/^GATEWAY_DOCS_DIR: .*path/],
  ],
  [
    8,
    'a launcher that is not offered',
    'serverless',
    ({ file }) => ({ GATEWAY_AGENT_LAUNCHER: 'docker', GATEWAY_AGENT_WORKDIR: file('work') }),
    [/^GATEWAY_AGENT_LAUNCHER: must be bubblewrap or process, not "docker"/],
  ],
  [
    8,
    'a launcher without its directory',
    'on-premise',
    () => ({ GATEWAY_AGENT_LAUNCHER: 'process' }),
    [/^GATEWAY_AGENT_WORKDIR: is not set although GATEWAY_AGENT_LAUNCHER is/],
  ],
  [
    9,
    'an unknown organization',
    'on-premise',
    () => ({ GATEWAY_ORGANIZATION: 'acme' }),
    [/^GATEWAY_ORGANIZATION: the organization "acme" is not known/],
  ],
  [
    0,
    'one fault of each kind',
    'on-premise',
    ({ file, database }) => ({
      DATABASE_URL: database.ownerUrl,
      GATEWAY_LICENSE: HIDDEN,
      HTTPS_PROXY: 'proxy',
      TLS_CERT_FILE: file('cert.pem'),
      GATEWAY_REQUEST_TIMEOUT_SECONDS: '0',
      GATEWAY_DOCS_DIR: file('cardless'),
      GATEWAY_AGENT_LAUNCHER: 'process',
    }),
    [
      /^TLS_KEY_FILE: /,
      /^GATEWAY_REQUEST_TIMEOUT_SECONDS: /,
      /^HTTPS_PROXY: /,
      /^GATEWAY_AGENT_WORKDIR: /,
      /^GATEWAY_LICENSE: /,
      /^DATABASE_URL: /,
      /^GATEWAY_DOCS_DIR: /,
    ],
  ],
  [
    0,
    'a database, a key file and a state directory that cannot be used',
    'serverless',
    ({ file, database }) => ({
      DATABASE_URL: database.ownerUrl,
      GATEWAY_SIGNING_KEY_FILE: file('text'),
      GATEWAY_STATE_DIR: file('text'),
    }),
    [/^DATABASE_URL: /, /^GATEWAY_SIGNING_KEY_FILE: .*not a readable private key/, /^GATEWAY_STATE_DIR: .*\(ENOTDIR\)/],
  ],
];
