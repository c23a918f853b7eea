import { homedir, hostname, userInfo } from 'node:os';
import { join } from 'node:path';

/** What the operator's commands take from outside their arguments. */
export interface Environment {
  /** DATABASE_URL: the owner's address. */
  readonly databaseUrl: string | undefined;
  /** DATABASE_CA_CERT_PATH: PEM file of an authority for a database on another machine. */
  readonly databaseCaFile: string | undefined;
  /** DATABASE_CA_CERT: the same authority, as text. */
  readonly databaseCa: string | undefined;
  /** The key that seals administration acts and checkpoints. Made with mode 0600 where it is absent. */
  readonly signingKeyFile: string;
  /** GATEWAY_LICENSE and GATEWAY_LICENSE_FILE, as the gateway reads them. */
  readonly license: string | undefined;
  readonly licenseFile: string | undefined;
  /** GATEWAY_LOG_ORIGIN: name of the logs in checkpoints in note form. */
  readonly logOrigin?: string | undefined;
  /** Author of acts that name none: the user and the machine. */
  readonly operator: string;
}

/** A blank value counts as absent. */
export function readEnvironment(): Environment {
  const given = Object.fromEntries(
    Object.entries(process.env).map(([name, value]) => [name, value?.trim() || undefined]),
  );
  const { DATABASE_URL, DATABASE_CA_CERT_PATH, GATEWAY_LICENSE, GATEWAY_LICENSE_FILE } = given;
  const { GATEWAY_SIGNING_KEY_FILE, GATEWAY_STATE_DIR, XDG_STATE_HOME } = given;
  const stateDirectory = GATEWAY_STATE_DIR || join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'gateway');
  return {
    databaseUrl: DATABASE_URL,
    databaseCaFile: DATABASE_CA_CERT_PATH,
    databaseCa: given['DATABASE_CA_CERT'],
    signingKeyFile: GATEWAY_SIGNING_KEY_FILE || join(stateDirectory, 'gatewayctl-signing-key.pem'),
    license: GATEWAY_LICENSE,
    licenseFile: GATEWAY_LICENSE_FILE,
    logOrigin: given['GATEWAY_LOG_ORIGIN'],
    operator: `${userName()}@${hostname()}`,
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // a user that the system has no name for
  }
}
