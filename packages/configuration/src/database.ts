import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type DatabaseAddress, DatabaseAddressFault, parseDatabaseAddress } from '@gateway/database';
import { codeOf, type Reading, type Variable } from './reading.ts';

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

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const BEGINNING = /-----BEGIN CERTIFICATE-----/g;

/**
 * The certificates of a PEM text, one text each; an empty list for none.
 * @returns null where one of them cannot be read: TLS would silently skip it (refusals-25)
 */
export function certificatesOf(text: string): readonly string[] | null {
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length !== (text.match(BEGINNING) ?? []).length) return null;
  try {
    for (const one of found) void new X509Certificate(one);
    return found;
  } catch {
    return null;
  }
}

/** The PEM text from a variable's value or file, for TLS to trust; null and a fault without a readable certificate. */
export function readAuthority(reading: Reading, variable: Variable, text: string | null): string | null {
  if (text === null) return null;
  const certificates = certificatesOf(text);
  if (certificates !== null && certificates.length > 0) return certificates.join('\n');
  reading.fault(variable, 'contains no PEM certificate that can be read.');
  return null;
}

/** In the form of PKCS 8, and in the older form of OpenSSL. */
const ENCRYPTED = /^(?:-----BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED)/m;

/** What is wrong with a certificate and its private key, without the key itself; null where they belong together. */
export function pairFault(cert: string, key: string): string | null {
  // To TLS an empty text means no certificates, and so needs no key.
  if (cert.trim() === '' || key.trim() === '') return 'empty';
  if (ENCRYPTED.test(key)) return 'the key has a passphrase: remove it, with openssl pkey';
  try {
    createSecureContext({ cert, key });
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

/** Read by Node.js itself, for every connection without its own setting (relay-24). */
export const CERTIFICATE_CHECK: Variable = {
  name: 'NODE_TLS_REJECT_UNAUTHORIZED',
  form: 'absent, or 1',
  fallback: 'certificates are verified',
  effect: 'The outbound certificate check cannot be disabled: the value 0 is refused at start.',
};

/** @param authority the variable for trusting one's own authority instead */
export function refuseUnverified(reading: Reading, authority: Variable): void {
  if (reading.text(CERTIFICATE_CHECK) !== '0') return;
  const instead = `To trust an authority of your own, remove it and set ${authority.name}.`;
  reading.fault(CERTIFICATE_CHECK, `must not be 0. ${instead}`);
}
