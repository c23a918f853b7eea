import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeOf } from '@gateway/configuration';
import { StartupFault } from '../startup/fault.ts';

/** Opens the port. @returns the address for a person: `http://host:port`. */
export async function listen(server: Server, port: number, host: string | null, scheme: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new StartupFault(`PORT: ${host ?? 'every address'} port ${port} cannot be opened (${codeOf(error)}).`));
    });
    server.listen({ port, ...(host === null ? {} : { host }) }, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const name =
    host === null || host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}:${bound}`;
}
