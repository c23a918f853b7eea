import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CAPABILITIES, issueLicense } from '@gateway/access';
import { developmentSigningKey } from '@gateway/access/development-license';
import { consoleClient } from './console-client.ts';
import { grantOnce, localAccount } from './demo-account.ts';
import { type Dependencies, start } from './dependencies.ts';
import { StartFault } from './fault.ts';
import {
  type EstablishedIdentityProvider,
  establishIdentityProvider,
  SettingsDamaged,
} from './identity-provider/establish.ts';
import { issuerOf } from './identity-provider/settings.ts';
import { signIn } from './identity-provider-sign-in.ts';
import { onPort, unlessTaken } from './ports.ts';
import type { ProfilePlan } from './profile-plan.ts';

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
