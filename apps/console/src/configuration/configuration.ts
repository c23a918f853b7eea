import type { BlockList } from 'node:net';
import {
  checkLogFormat,
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
import { DATABASE } from './database.ts';
import { readScim, SCIM_VARIABLES } from './scim.ts';
import { readSigningKeyFile, SIGNING_VARIABLES } from './signing-key.ts';

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
