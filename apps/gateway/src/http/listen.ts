import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { addressOf, listeningFault } from '@gateway/configuration';
import { StartupFault } from '../process/start-fault.ts';

/** Where a service listens. */
export interface Listening {
  readonly port: number;
  /** Null: every address of this machine. */
  readonly host: string | null;
  /** Whether other gateways of this machine may listen there too: the system distributes connections among them. */
  readonly sharePort: boolean;
}

/** Opens the port. @returns the address for a person: `http://host:port`. */
export async function listen(server: Server, { port, host, sharePort }: Listening, scheme: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new StartupFault(listeningFault(error, host, port))));
    server.listen({ port, reusePort: sharePort, ...(host === null ? {} : { host }) }, resolve);
  });
  return addressOf(scheme, host, (server.address() as AddressInfo).port);
}

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
