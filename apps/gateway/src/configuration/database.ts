import { X509Certificate } from 'node:crypto';
import { type DatabaseAddress, DatabaseAddressFault, parseDatabaseAddress } from '@gateway/database';
import type { Reading } from './reading.ts';
import type { Variable } from './variable.ts';

const url: Variable = {
  name: 'DATABASE_URL',
  profile: 'both',
  form: "the address of the gateway's service role, for example postgres://gateway_service:password@host:5432/gateway",
  fallback: null,
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

export const DATABASE_VARIABLES: readonly Variable[] = [url, authorityFile, authorityText];

/** Null only beside a fault. */
export function readDatabase(reading: Reading): DatabaseAddress | null {
  const ca = readAuthority(reading);
  const text = reading.required(url);
  if (text === null) return null;
  try {
    return parseDatabaseAddress(text, ca === null ? {} : { ca });
  } catch (error) {
    if (!(error instanceof DatabaseAddressFault)) throw error;
    reading.fault(url, `${error.message}.`);
    return null;
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
