import { X509Certificate } from 'node:crypto';
import { type DatabaseAddress, DatabaseAddressFault, parseDatabaseAddress } from '@gateway/database';
import type { Reading } from './reading.ts';
import type { Variable } from './variable.ts';

/** The database of a development checkout (specification, Administration console variables: the fall-back of DATABASE_URL). */
export const DEVELOPMENT_DATABASE = 'postgres://console_service@127.0.0.1:6000/gateway';

export const DATABASE_URL: Variable = {
  name: 'DATABASE_URL',
  profile: 'both',
  form: "the address of the console's service role, for example postgres://console_service:password@host:5432/gateway",
  fallback: `the development database ${DEVELOPMENT_DATABASE}, which is announced at start`,
  effect: 'The database. Encryption is not decided here: TLS is verified for every host other than this machine.',
};
const authorityFile: Variable = {
  name: 'DATABASE_CA_CERT_PATH',
  profile: 'both',
  form: 'the path of a PEM file',
  fallback: 'the authorities of Node.js',
  effect: 'Authority the database server is verified against. Not together with DATABASE_CA_CERT.',
};
const authorityText: Variable = {
  name: 'DATABASE_CA_CERT',
  profile: 'both',
  form: 'the PEM text of a certificate',
  fallback: 'the authorities of Node.js',
  effect: 'The same authority, as text.',
};

export const DATABASE_VARIABLES: readonly Variable[] = [DATABASE_URL, authorityFile, authorityText];

/** Where the database is; `null` only beside a fault. `assumed` says that nobody named it. */
export function readDatabase(reading: Reading): {
  readonly address: DatabaseAddress | null;
  readonly assumed: boolean;
} {
  const ca = readAuthority(reading);
  const text = reading.text(DATABASE_URL);
  try {
    const address = parseDatabaseAddress(text ?? DEVELOPMENT_DATABASE, ca === null ? {} : { ca });
    return { address, assumed: text === null };
  } catch (error) {
    if (!(error instanceof DatabaseAddressFault)) throw error;
    reading.fault(DATABASE_URL, `${error.message}.`);
    return { address: null, assumed: false };
  }
}

function readAuthority(reading: Reading): string | null {
  if (reading.text(authorityFile) !== null && reading.text(authorityText) !== null) {
    reading.fault(authorityFile, 'and DATABASE_CA_CERT are both set. Keep one.');
    return null;
  }
  const variable = reading.text(authorityText) === null ? authorityFile : authorityText;
  const text = reading.text(authorityText) ?? reading.file(authorityFile);
  if (text === null) return null;
  try {
    void new X509Certificate(text);
    return text;
  } catch {
    reading.fault(variable, 'holds no PEM certificate that can be read.');
    return null;
  }
}
