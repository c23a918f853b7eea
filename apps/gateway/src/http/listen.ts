import type { AddressInfo, Server } from 'node:net';
import { addressOf, listeningFault } from '@gateway/configuration';
import { StartupFault } from '../process/start-fault.ts';

/** Opens the port. @returns the address for a person: `http://host:port`. */
export async function listen(server: Server, port: number, host: string | null, scheme: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new StartupFault(listeningFault(error, host, port))));
    server.listen({ port, ...(host === null ? {} : { host }) }, resolve);
  });
  return addressOf(scheme, host, (server.address() as AddressInfo).port);
}
