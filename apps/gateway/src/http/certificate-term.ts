import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** When a certificate ends. */
export const endOfTerm = (certificateFile: string): Date =>
  new X509Certificate(readFileSync(certificateFile)).validToDate;

/** The warning about a certificate that is expired or not yet valid; null while it is valid. */
export function termNotice(certificateFile: string, now: number): string | null {
  const { validFromDate, validToDate } = new X509Certificate(readFileSync(certificateFile));
  const certificate = 'TLS_CERT_FILE: callers refuse the certificate, which';
  if (now > validToDate.getTime()) return `${certificate} expired on ${validToDate.toISOString()}.`;
  if (now < validFromDate.getTime()) return `${certificate} is not valid before ${validFromDate.toISOString()}.`;
  return null;
}
