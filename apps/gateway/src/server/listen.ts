import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeOf } from '@gateway/configuration';
import { StartupFault } from '../startup/fault.ts';

/** The address is none of this machine, or of a family it does not speak: another port mends nothing. */
const NOT_OURS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

/** Opens the port. @returns the address for a person: `http://host:port`. */
export async function listen(server: Server, port: number, host: string | null, scheme: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const variable = NOT_OURS.has(codeOf(error)) ? 'HOST' : 'PORT';
      const place = host === null ? `port ${port}` : `port ${port} of ${host}`;
      const why = codeOf(error) === 'EADDRINUSE' ? ': another program listens there' : '';
      reject(new StartupFault(`${variable}: ${place} cannot be opened (${codeOf(error)})${why}.`));
    });
    server.listen({ port, ...(host === null ? {} : { host }) }, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const name =
    host === null || host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}:${bound}`;
}
