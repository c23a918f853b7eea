import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { codeOf, type Reading } from './reading.ts';
import type { Variable } from './variable.ts';

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
