import { type DatabaseAddress, DatabaseAddressFault, parseDatabaseAddress } from '@gateway/database';
import { readAuthority } from './certificates.ts';
import type { Reading } from './reading.ts';
import type { Variable } from './variable.ts';

const authorityFile: Variable = {
  name: 'DATABASE_CA_CERT_PATH',
  form: 'the path of a PEM file',
  fallback: 'the authorities of Node.js',
  effect: "Authority that signed the database's certificate. Not together with DATABASE_CA_CERT.",
};
const authorityText: Variable = {
  name: 'DATABASE_CA_CERT',
  form: 'the PEM text of a certificate',
  fallback: 'the authorities of Node.js',
  effect: 'The same authority, as text.',
};

export interface DatabaseReader {
  readonly url: Variable;
  /** Everything it reads, for the reference. */
  readonly variables: readonly Variable[];
  /** Address of the database; null only after a fault. */
  read(reading: Reading): DatabaseAddress | null;
}

/**
 * Reads how one service reaches the database, with the service's own role.
 * @param fallback the default address; null where one must be given
 */
export function databaseReader(
  service: 'gateway' | 'console',
  fallback: { readonly address: string; readonly shown: string } | null,
): DatabaseReader {
  const url: Variable = {
    name: 'DATABASE_URL',
    form: `the address of the ${service}'s service role, for example postgres://${service}_service:password@host:5432/gateway`,
    fallback: fallback?.shown ?? null,
    effect: 'The database. Encryption is not decided here: TLS is verified for every host other than this machine.',
  };
  return {
    url,
    variables: [url, authorityFile, authorityText],
    read(reading) {
      const ca = readEitherAuthority(reading);
      const text = fallback === null ? reading.required(url) : (reading.text(url) ?? fallback.address);
      if (text === null) return null;
      try {
        return parseDatabaseAddress(text, ca === null ? {} : { ca });
      } catch (error) {
        if (!(error instanceof DatabaseAddressFault)) throw error;
        reading.fault(url, `${error.message}.`);
        return null;
      }
    },
  };
}

function readEitherAuthority(reading: Reading): string | null {
  if (reading.text(authorityFile) !== null && reading.text(authorityText) !== null) {
    reading.fault(authorityFile, 'and DATABASE_CA_CERT are both set. Keep one.');
    return null;
  }
  const text = reading.text(authorityText);
  return text === null
    ? readAuthority(reading, authorityFile, reading.file(authorityFile))
    : readAuthority(reading, authorityText, text);
}
