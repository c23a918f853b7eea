import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { CAPABILITIES, issueLicense } from '@gateway/access';
import { createAuthority } from '@gateway/access/development-authority';
import { developmentSigningKey } from '@gateway/access/development-license';
import { type Dependencies, onPort, start, unlessTaken } from './component.ts';
import { consoleClient, grantOnce, localAccount } from './console-client.ts';
import { StartFault } from './environment.ts';
import { IDENTITY_PROVIDER_SETTINGS, type IdentityProviderSettings, issuerOf } from './identity-provider/settings.ts';
import type { ProfilePlan } from './profile-plan.ts';

/** Follows redirects as a browser does, with the cookies of each host. */
class Visit {
  readonly #jar = new Map<string, Map<string, string>>();

  /** The cookies that a request to this address carries. */
  cookies(address: URL): string {
    return [...(this.#jar.get(address.host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async go(start: URL, form?: URLSearchParams): Promise<{ readonly url: URL; readonly response: Response }> {
    let url = start;
    let body = form;
    for (let step = 0; step < 12; step += 1) {
      const cookie = this.cookies(url);
      const response = await fetch(url, {
        method: body ? 'POST' : 'GET',
        body: body ?? null,
        redirect: 'manual',
        headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) },
      });
      body = undefined;
      this.#keep(url, response);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return { url, response };
      url = new URL(location, url);
    }
    throw new StartFault(`The sign-in at ${start.origin} redirects in a loop.`);
  }

  #keep(url: URL, response: Response): void {
    const host = this.#jar.get(url.host) ?? new Map<string, string>();
    this.#jar.set(url.host, host);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') host.delete(name);
      else host.set(name, value);
    }
  }
}

/**
 * Signs in to the console through the demo identity provider, as a person does in a browser.
 * @param authority PEM certificate of its authority
 * @returns the `cookie` header of the console's session
 */
export async function signIn(
  console: string,
  person: { readonly user: string; readonly password: string },
  authority: string,
): Promise<string> {
  setDefaultCACertificates([...getCACertificates('default'), authority]);
  const visit = new Visit();
  const page = await visit.go(new URL('/auth/login', console));
  const back = await visit.go(page.url, new URLSearchParams(person));
  const cookie = visit.cookies(new URL(console));
  if (back.url.origin !== new URL(console).origin || cookie === '') {
    throw new StartFault(`The sign-in to the console ended at ${back.url.href} with ${back.response.status}.`);
  }
  return cookie;
}

const IDENTITY_PROVIDER_PROGRAM = fileURLToPath(new URL('identity-provider/main.ts', import.meta.url));
const IDENTITY_PROVIDER_PORT = 6004;
const CLIENT_ID = 'gateway';
const CONSOLE_CALLBACK = '/auth/callback';
/** A program on this machine may receive its sign-in on any port (RFC 8252, section 7.3); so may the console. */
const REDIRECT_URIS = [CONSOLE_CALLBACK, '/callback'].flatMap((path) => [
  `http://127.0.0.1${path}`,
  `http://localhost${path}`,
]);
const PERSON = { user: 'demo', subject: 'demo-person', name: 'Demo Person', email: 'demo@directory.example' };
/** Nobody both administers and audits. An administrator sees neither the log nor the policy in force. */
const AUDITOR = {
  user: 'auditor',
  subject: 'demo-auditor',
  name: 'Demo Auditor',
  email: 'auditor@directory.example',
};
const YEAR_SECONDS = 365 * 86_400;

/** The content of the file; null if it cannot be read, which the gateway itself then reports. */
function licenseIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

/** The given license, else one for all features, which only a build that trusts the development key accepts. */
async function developmentLicense(dependencies: Dependencies): Promise<string | null> {
  const { GATEWAY_LICENSE: given, GATEWAY_LICENSE_FILE: file } = dependencies.options.gatewayEnvironment;
  if (given) return given;
  if (file) return licenseIn(file);
  const key = developmentSigningKey();
  writeFileSync(join(dependencies.state.path, 'license-signing-key.pem'), key, { mode: 0o600 });
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    licensee: 'Development',
    deployment: 'npm start',
    seats: null,
    capabilities: [...CAPABILITIES],
    iat: now,
    exp: now + YEAR_SECONDS,
    graceDays: 14,
  };
  return issueLicense(claims, key);
}

function establish(...given: Parameters<typeof establishIdentityProvider>): EstablishedIdentityProvider {
  try {
    return establishIdentityProvider(...given);
  } catch (error) {
    if (error instanceof SettingsDamaged) throw new StartFault(error.message);
    throw error;
  }
}

async function openIdentityProvider(
  dependencies: Dependencies,
  ending: AsyncDisposableStack,
): Promise<EstablishedIdentityProvider> {
  const { options, environment, state } = dependencies;
  const asked = await unlessTaken(state.kept.directoryPort ?? (options.ephemeral ? 0 : IDENTITY_PROVIDER_PORT));
  return onPort(asked, async (port) => {
    const directory = establish(state.folder('directory'), {
      port,
      clientId: CLIENT_ID,
      redirectUris: REDIRECT_URIS,
      people: [
        { ...PERSON, password: state.kept.directoryPassword },
        { ...AUDITOR, password: state.kept.auditorPassword },
      ],
    });
    const component = await start(dependencies, {
      name: 'demo identity provider',
      args: [IDENTITY_PROVIDER_PROGRAM, directory.settingsFile],
      environment: environment.machine,
      ready: /^demo identity provider listens on (https?:\/\/\S+)/,
    });
    ending.defer(() => component.stop(1000));
    state.keep({ directoryPort: port });
    return directory;
  });
}

/** The on-premise profile: a development license, and a demo identity provider that people sign in to. */
export async function onPremise(dependencies: Dependencies, ending: AsyncDisposableStack): Promise<ProfilePlan> {
  const { options, state } = dependencies;
  const license = await developmentLicense(dependencies);
  const { settings, authorityFile } = await openIdentityProvider(dependencies, ending);
  const client = {
    OIDC_ISSUER: issuerOf(settings),
    OIDC_CLIENT_ID: CLIENT_ID,
    NODE_EXTRA_CA_CERTS: authorityFile,
  };
  const person = { user: PERSON.user, password: state.kept.directoryPassword };
  const licenseGiven = options.gatewayEnvironment['GATEWAY_LICENSE_FILE'] !== undefined;
  return {
    gateway: { ...client, ...(licenseGiven || license === null ? {} : { GATEWAY_LICENSE: license }) },
    console: (port) => ({ ...client, OIDC_REDIRECT_URI: `http://127.0.0.1:${port}${CONSOLE_CALLBACK}` }),
    ready: {
      keys: {},
      license,
      directory: { issuer: issuerOf(settings), clientId: CLIENT_ID, subject: PERSON.subject, authorityFile },
      consoleSignIn: person,
      auditorSignIn: { user: AUDITOR.user, password: state.kept.auditorPassword },
    },
    openConsole: async (address, run) => {
      await grantOnce(run, PERSON.subject, 'administrateur-d-instance');
      await grantOnce(run, PERSON.subject, 'utilisateur-standard');
      await grantOnce(run, AUDITOR.subject, 'auditeur');
      const cookie = await signIn(address, person, readFileSync(authorityFile, 'utf8'));
      return consoleClient(address, { cookie });
    },
    account: (_, run) => localAccount(run, state),
  };
}

export interface EstablishedIdentityProvider {
  readonly settings: IdentityProviderSettings;
  readonly settingsFile: string;
  /** PEM certificate of the authority that vouches for the identity provider. */
  readonly authorityFile: string;
}

function signingKey(): IdentityProviderSettings['signingKey'] {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { kty = 'RSA', ...key } = privateKey.export({ format: 'jwk' });
  return { kty, ...key, alg: 'RS256', use: 'sig', kid: randomBytes(8).toString('hex') };
}

/** The settings of an earlier start cannot be read; the message says what to do. */
export class SettingsDamaged extends Error {}

/** Given people replace those in the file: an earlier version may have written them in another form. */
function readSettings(file: string, given: Given): IdentityProviderSettings {
  try {
    return IDENTITY_PROVIDER_SETTINGS.parse({ ...JSON.parse(readFileSync(file, 'utf8')), ...given });
  } catch {
    throw new SettingsDamaged(`${file} is damaged. Remove it: the demo identity provider then gets other keys.`);
  }
}

type Given = Pick<IdentityProviderSettings, 'port' | 'clientId' | 'redirectUris' | 'people'>;

/**
 * Creates the provider's authority, certificate and keys at the first start; they stay, so that earlier signatures stay valid.
 * The authority's private key is discarded: it certifies only this provider.
 */
export function establishIdentityProvider(folder: string, given: Given): EstablishedIdentityProvider {
  const settingsFile = join(folder, 'settings.json');
  const authorityFile = join(folder, 'authority.pem');
  if (!existsSync(settingsFile) || !existsSync(authorityFile)) {
    const authority = createAuthority('Authority of the demo identity provider');
    const { certificate, key } = authority.certify(['127.0.0.1', 'localhost'], { days: 3650 });
    const made = { certificate, key, signingKey: signingKey(), cookieKeys: [randomBytes(32).toString('hex')] };
    writeFileSync(authorityFile, authority.certificate);
    writeFileSync(settingsFile, JSON.stringify({ ...made, ...given }), { mode: 0o600 });
  }
  const settings = readSettings(settingsFile, given);
  // Written whole: a start that is cut short leaves the settings of the one before.
  writeFileSync(`${settingsFile}.new`, JSON.stringify(settings), { mode: 0o600 });
  renameSync(`${settingsFile}.new`, settingsFile);
  return { settings, settingsFile, authorityFile };
}
