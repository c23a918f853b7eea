import type { BlockList } from 'node:net';
import { join, resolve } from 'node:path';
import {
  checkLogFormat,
  databaseReader,
  type Environment,
  LOG_FORMAT,
  LOG_ORIGIN,
  listeningReader,
  Reading,
  readLogOrigin,
  readTrustedProxies,
  TRUSTED_PROXIES,
  type Variable,
} from '@gateway/configuration';
import type { DatabaseAddress } from '@gateway/database';
import type { SubjectAttribute } from '../server/scim/user.ts';

const token: Variable = {
  name: 'CONSOLE_SCIM_TOKEN',
  form: 'a random text of at least 32 characters without blanks',
  fallback: 'none: /scim/v2 is not served',
  effect:
    'The token with which the identity provider provisions users (SCIM 2.0). It opens /scim/v2 and nothing else. Not together with CONSOLE_SCIM_TOKEN_FILE.',
};
const tokenFile: Variable = {
  name: 'CONSOLE_SCIM_TOKEN_FILE',
  form: 'the path of a file that contains only the token',
  fallback: 'none',
  effect: 'The same token, in a file.',
};
const subject: Variable = {
  name: 'CONSOLE_SCIM_SUBJECT',
  form: 'userName or externalId',
  fallback: 'userName',
  effect:
    "The attribute of a provisioned user that is its subject. It must equal the claim OIDC_SUBJECT_CLAIM of the user's tokens.",
};

const SCIM_VARIABLES: readonly Variable[] = [token, tokenFile, subject];

/** Guessing a shorter one would be worth trying. */
const SHORTEST_TOKEN = 32;

/** The settings of provisioning; null without a token. */
export function readScim(
  reading: Reading,
): { readonly token: string; readonly subjectAttribute: SubjectAttribute } | null {
  const [own, file] = [reading.text(token), reading.file(tokenFile)];
  const attribute = reading.text(subject) ?? 'userName';
  if (attribute !== 'userName' && attribute !== 'externalId') {
    reading.fault(subject, `must be ${subject.form}.`);
    return null;
  }
  if (own !== null && reading.text(tokenFile) !== null) {
    reading.fault(tokenFile, `is set together with ${token.name}. Keep one.`);
    return null;
  }
  const [source, text] = own !== null ? [token, own] : [tokenFile, file?.trim() ?? null];
  if (text === null) return null;
  if (text.length < SHORTEST_TOKEN || /[^\x21-\x7e]/.test(text)) {
    reading.fault(source, `must contain ${token.form}. Make one, for example with: openssl rand -hex 32`);
    return null;
  }
  return { token: text, subjectAttribute: attribute };
}

const stateDirectory: Variable = {
  name: 'GATEWAY_STATE_DIR',
  form: 'the path of a directory the console may write; created where absent',
  fallback: '.gateway in the working directory',
  effect: 'Holds the signing key unless it is elsewhere.',
};
const signingKeyFile: Variable = {
  name: 'GATEWAY_SIGNING_KEY_FILE',
  form: 'the path of an Ed25519 private key (PEM, PKCS 8)',
  fallback: 'console-signing-key.pem in GATEWAY_STATE_DIR',
  effect:
    'Signs what the console appends to the administration log and the decision log. Created with mode 0600 at the first start if the file is absent.',
};

const SIGNING_VARIABLES: readonly Variable[] = [stateDirectory, signingKeyFile];

/** Path of the console's signing key. */
function readSigningKeyFile(reading: Reading): string {
  const directory = reading.text(stateDirectory) ?? '.gateway';
  return resolve(reading.text(signingKeyFile) ?? join(directory, 'console-signing-key.pem'));
}

const LISTENING = listeningReader('console', 6002);

const publicUrl: Variable = {
  name: 'CONSOLE_PUBLIC_URL',
  form: 'an absolute http or https URL without a path, for example https://console.example',
  fallback: 'the Host header, and the origin of OIDC_REDIRECT_URI',
  effect:
    "The console's address for browsers, if a proxy does not forward the Host header. Changes from pages of this address are accepted.",
};

const gatewayUrl: Variable = {
  name: 'GATEWAY_PUBLIC_URL',
  form: 'an absolute http or https URL, for example https://gateway.example',
  fallback: 'port 6001 of the host under which the console was opened, marked as a guess',
  effect: "The gateway's address for callers. The console shows it in its examples of calls.",
};

const contact: Variable = {
  name: 'CONSOLE_CONTACT',
  form: 'one line of at most 200 characters, for example an e-mail address',
  fallback: null,
  effect: 'The person or address that grants roles. The console shows it to people who may not call an endpoint yet.',
};

/** Settings of one build in addition to the common ones. */
export interface ProfileConfiguration<Own> {
  readonly variables: readonly Variable[];
  readConfiguration(reading: Reading): Own;
}

/** The configuration of the console, checked, and never changed afterwards. */
export interface Configuration<Own> {
  readonly port: number;
  readonly host: string | null;
  /** Null: nobody's X-Forwarded-For is believed. */
  readonly trustedProxies: BlockList | null;
  readonly publicOrigin: string | null;
  /** Without a slash at its end. */
  readonly gatewayUrl: string | null;
  /** The person or address that grants roles. */
  readonly contact: string | null;
  readonly database: DatabaseAddress;
  /** Nobody named the database: the development one is assumed, which is announced. */
  readonly databaseAssumed: boolean;
  readonly signingKeyFile: string;
  /** GATEWAY_LOG_ORIGIN; null: the identifier of the installation. */
  readonly logOrigin: string | null;
  /** Null: nothing is provisioned. */
  readonly scim: ReturnType<typeof readScim>;
  readonly profile: Own;
}

/** Every variable of one build, in the order of the reference. */
export function variablesOf(profile: ProfileConfiguration<unknown>): readonly Variable[] {
  return [
    ...profile.variables,
    ...DATABASE.variables,
    ...LISTENING.variables,
    TRUSTED_PROXIES,
    LOG_FORMAT,
    publicUrl,
    gatewayUrl,
    contact,
    ...SCIM_VARIABLES,
    ...SIGNING_VARIABLES,
    LOG_ORIGIN,
  ];
}

/** The whole configuration, or all of its faults, one line each, with the database if its address is usable. */
export function readConfiguration<Own>(
  environment: Environment,
  profile: ProfileConfiguration<Own>,
):
  | { readonly configuration: Configuration<Own> }
  | { readonly faults: readonly string[]; readonly database: DatabaseAddress | null } {
  const reading = new Reading(environment);
  const own = profile.readConfiguration(reading);
  const address = DATABASE.read(reading);
  const assumed = reading.text(DATABASE.url) === null;
  const listening = LISTENING.read(reading);
  const trustedProxies = readTrustedProxies(reading);
  const publicOrigin = readPublicOrigin(reading);
  const gateway = readGatewayUrl(reading);
  const asked = readContact(reading);
  const scim = readScim(reading);
  const logOrigin = readLogOrigin(reading);
  checkLogFormat(reading);
  if (address === null || reading.faults.length > 0) {
    return { faults: reading.faults, database: assumed ? null : address };
  }
  return {
    configuration: Object.freeze({
      ...listening,
      trustedProxies,
      publicOrigin,
      gatewayUrl: gateway,
      contact: asked,
      scim,
      logOrigin,
      database: address,
      databaseAssumed: assumed,
      signingKeyFile: readSigningKeyFile(reading),
      profile: own,
    }),
  };
}

function readPublicOrigin(reading: Reading): string | null {
  const text = reading.text(publicUrl);
  if (text === null) return null;
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (isOrigin) return url.origin;
  reading.fault(publicUrl, `must be ${publicUrl.form}.`);
  return null;
}

function readContact(reading: Reading): string | null {
  const text = reading.text(contact);
  if (text === null || (text.length <= 200 && !/\p{Cc}/u.test(text))) return text;
  reading.fault(contact, `must be ${contact.form}.`);
  return null;
}

function readGatewayUrl(reading: Reading): string | null {
  const text = reading.text(gatewayUrl);
  if (text === null) return null;
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) && url.username === '';
  if (isPlain) return url.href.replace(/\/+$/, '');
  reading.fault(gatewayUrl, `must be ${gatewayUrl.form}, without credentials, query or fragment.`);
  return null;
}

/** The database of a development checkout, for which DATABASE_URL may be absent. */
export const DEVELOPMENT_DATABASE = 'postgres://console_service@127.0.0.1:6000/gateway';

export const DATABASE = databaseReader('console', {
  address: DEVELOPMENT_DATABASE,
  shown: `the development database ${DEVELOPMENT_DATABASE}, which is announced at start`,
});
