import type { BlockList } from 'node:net';
import { join, resolve } from 'node:path';
import {
  checkLogFormat,
  LOG_FORMAT,
  LOG_ORIGIN,
  listeningReader,
  printable,
  type Reading,
  readLogOrigin,
  readTrustedProxies,
  TRUSTED_PROXIES,
  type Variable,
  wholeNumber,
} from '@gateway/configuration';
import { absentDocumentation, type Documentation, openDocumentation } from '@gateway/documentation';
import { COSIGNATURE, NoteFault, type NoteKey, readNoteKey } from '@gateway/ledger';
import type { Report } from '../process/report.ts';
import { type CertificateFiles, readPair } from './certificate-pair.ts';

const LISTENING = listeningReader('gateway', 6001);

const certificateFile: Variable = {
  name: 'TLS_CERT_FILE',
  form: 'the path of a PEM file: the certificate, then its intermediates',
  fallback: 'plain HTTP, which the gateway announces at start',
  effect: 'Certificate of the service. Set it together with TLS_KEY_FILE.',
};
const keyFile: Variable = {
  name: 'TLS_KEY_FILE',
  form: 'the path of a PEM file: the private key of TLS_CERT_FILE',
  fallback: 'plain HTTP, which the gateway announces at start',
  effect: 'Private key of the service. Set together with TLS_CERT_FILE.',
};
const requestTimeout = wholeNumber({
  name: 'GATEWAY_REQUEST_TIMEOUT_SECONDS',
  of: 'seconds',
  least: 1,
  most: 86_400,
  fallback: 1800,
  effect: 'Longest duration of a request, from its headers to the last byte of its answer.',
});
const drain = wholeNumber({
  name: 'GATEWAY_DRAIN_SECONDS',
  of: 'seconds',
  least: 0,
  most: 3600,
  fallback: 30,
  effect:
    'How long running answers may continue after SIGTERM before they are cut. Running agent commands are ended first, which may take six more seconds.',
});
const bodyMemory = wholeNumber({
  name: 'GATEWAY_BODY_MEMORY_MIB',
  of: 'mebibytes',
  least: 16,
  most: 65_536,
  fallback: 512,
  effect:
    'Memory for all held request bodies together. A request whose body does not fit is refused with 503, and the gateway logs this.',
});
export const SHARE_PORT: Variable = {
  name: 'GATEWAY_SHARE_PORT',
  form: 'true or false',
  fallback: 'false',
  effect:
    'Whether other gateways of this machine listen on the same port: set it for all of them. The system distributes connections among them (SO_REUSEPORT). Not together with GATEWAY_AGENT_LAUNCHER.',
};
const stateDirectory: Variable = {
  name: 'GATEWAY_STATE_DIR',
  form: 'the path of a directory the gateway may write; created where absent',
  fallback: '.gateway in the working directory',
  effect:
    'Holds the usage records and detections that are not yet in the database, and the signing key unless it is elsewhere.',
};
const signingKeyFile: Variable = {
  name: 'GATEWAY_SIGNING_KEY_FILE',
  form: 'the path of an Ed25519 private key (PEM, PKCS 8)',
  fallback: 'signing-key.pem in GATEWAY_STATE_DIR',
  effect: 'Signs the decision log. Created with mode 0600 at the first start if the file is absent.',
};
const checkpointHours = wholeNumber({
  name: 'GATEWAY_CHECKPOINT_HOURS',
  of: 'hours',
  least: 0,
  most: 168,
  fallback: 24,
  effect:
    'How often signed checkpoints of both logs are written to GATEWAY_CHECKPOINT_FILE, and in note form beside it, and sent with the log export. 0: never.',
});
const checkpointFile: Variable = {
  name: 'GATEWAY_CHECKPOINT_FILE',
  form: 'the path of a file in a directory the gateway may write',
  fallback: 'checkpoint.note in GATEWAY_STATE_DIR',
  effect:
    'Holds the latest checkpoint, for an auditor to keep elsewhere. Beside it are those in note form: for checkpoint.note, checkpoint.authorization_decisions.note and checkpoint.administration_actions.note.',
};
const witnessesFile: Variable = {
  name: 'GATEWAY_WITNESSES_FILE',
  form: 'the path of a JSON file: [{"address": "https://witness.example", "key": "<cosignature key in note form>"}]',
  fallback: 'no witnesses are asked',
  effect:
    'Witnesses (C2SP tlog-witness) that cosign the checkpoints in note form. They are asked behind the logs: one that is away delays nothing, and is logged.',
};
const organization: Variable = {
  name: 'GATEWAY_ORGANIZATION',
  form: 'the slug of an organization declared in the console',
  fallback: 'no organization is served',
  effect: 'The organization whose policy this gateway serves to workstations.',
};

export const SERVICE_VARIABLES: readonly Variable[] = [
  ...LISTENING.variables,
  certificateFile,
  keyFile,
  requestTimeout,
  drain,
  bodyMemory,
  TRUSTED_PROXIES,
  SHARE_PORT,
  stateDirectory,
  signingKeyFile,
  checkpointHours,
  checkpointFile,
  LOG_ORIGIN,
  witnessesFile,
  organization,
  LOG_FORMAT,
];

export interface ServiceConfiguration {
  readonly port: number;
  readonly host: string | null;
  readonly tls: CertificateFiles | null;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Milliseconds. */
  readonly drainTimeout: number;
  /** Bytes. */
  readonly bodyMemory: number;
  readonly sharePort: boolean;
  readonly trustedProxies: BlockList | null;
  readonly stateDirectory: string;
  readonly signingKeyFile: string;
  /** Milliseconds between two checkpoints; null: no checkpoints. */
  readonly checkpointInterval: number | null;
  readonly checkpointFile: string;
  /** GATEWAY_LOG_ORIGIN; null: the identifier of the installation. */
  readonly logOrigin: string | null;
  readonly witnesses: readonly Witness[];
  readonly organization: string | null;
}

export function readService(reading: Reading): ServiceConfiguration {
  checkLogFormat(reading);
  const directory = resolve(reading.text(stateDirectory) ?? '.gateway');
  return {
    ...LISTENING.read(reading),
    tls: readTls(reading),
    requestTimeout: 1000 * reading.wholeNumber(requestTimeout),
    drainTimeout: 1000 * reading.wholeNumber(drain),
    bodyMemory: 2 ** 20 * reading.wholeNumber(bodyMemory),
    sharePort: readSharePort(reading),
    trustedProxies: readTrustedProxies(reading),
    stateDirectory: directory,
    signingKeyFile: resolve(reading.text(signingKeyFile) ?? join(directory, 'signing-key.pem')),
    checkpointInterval: 3_600_000 * reading.wholeNumber(checkpointHours) || null,
    checkpointFile: resolve(reading.text(checkpointFile) ?? join(directory, 'checkpoint.note')),
    logOrigin: readLogOrigin(reading),
    witnesses: readWitnesses(reading),
    organization: reading.text(organization),
  };
}

/** A witness of the checkpoints. */
export interface Witness {
  /** Without a slash at its end. */
  readonly address: string;
  /** Of its cosignatures. */
  readonly key: NoteKey;
}

function readWitnesses(reading: Reading): readonly Witness[] {
  const text = reading.file(witnessesFile);
  if (text === null) return [];
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) throw new NoteFault('must name a file with a list of witnesses');
    return list.map(witnessOf);
  } catch (error) {
    const cause = error instanceof NoteFault ? error.message : `must name a file of this form: ${witnessesFile.form}`;
    reading.fault(witnessesFile, `${cause}.`);
    return [];
  }
}

function witnessOf(value: unknown): Witness {
  const { address, key: text, ...more } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof address !== 'string' || typeof text !== 'string' || Object.keys(more).length > 0) {
    throw new NoteFault('has a witness without an address and a key, or with more members');
  }
  const url = URL.parse(address);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(address) && url.username === '';
  if (!isPlain) throw new NoteFault(`has the address ${printable(address)}: write an http or https URL`);
  let key: NoteKey;
  try {
    key = readNoteKey(text.trim());
  } catch (error) {
    throw error instanceof NoteFault ? new NoteFault(`has the key ${printable(text)}, which ${error.message}`) : error;
  }
  if (key.type !== COSIGNATURE) throw new NoteFault(`has the key of a log for ${key.name}, not one of a witness`);
  return { address: url.href.replace(/\/+$/, ''), key };
}

function readSharePort(reading: Reading): boolean {
  const text = reading.text(SHARE_PORT);
  if (text !== null && text !== 'true' && text !== 'false')
    reading.fault(SHARE_PORT, `must be ${SHARE_PORT.form}, not ${printable(text)}.`);
  return text === 'true';
}

/** The files: they are read again when the certificate is renewed. */
function readTls(reading: Reading): CertificateFiles | null {
  const [certificatePath, keyPath] = [reading.text(certificateFile), reading.text(keyFile)];
  const pair = readPair(reading, certificateFile, keyFile);
  if (pair === null || certificatePath === null || keyPath === null) return null;
  return { certificateFile: resolve(certificatePath), keyFile: resolve(keyPath) };
}

const folder: Variable = {
  name: 'GATEWAY_DOCS_DIR',
  form: 'the path of a folder with an unpacked documentation archive: archive.json is at its root',
  fallback: 'no documentation is served: every address under /v answers 501',
  effect:
    'The documentation served under /v, with its search and query server. A new archive in its place is used without a restart.',
};

export const DOCUMENTATION_VARIABLES: readonly Variable[] = [folder];

/** Absolute path of the folder, or null where no documentation is served. */
export function readDocumentationFolder(reading: Reading): string | null {
  const text = reading.text(folder);
  return text === null ? null : resolve(text);
}

/**
 * Opens what the variable names (refusals-26).
 * @param report called with one line when an archive installed later cannot be served
 */
export async function openConfigured(
  path: string | null,
  report: Report,
): Promise<Documentation | { readonly fault: string }> {
  if (path === null) return absentDocumentation();
  const opened = await openDocumentation(path, (sentence) => report(`${folder.name}: ${sentence}`));
  return 'fault' in opened ? { fault: `${folder.name}: ${opened.fault}` } : opened;
}
