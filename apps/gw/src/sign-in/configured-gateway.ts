import type { Environment } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import { readUserGateway } from '../trust/sources.ts';
import { gatewayAddress } from './gateway-address.ts';

/**
 * The gateway to sign in to: `--gateway`, else GATEWAY_URL, else the `gateway` of the user's own configuration. A project's
 * configuration does not count: a cloned one could ask for the user's key.
 * @throws WrongUsage where there is none, or it is no address.
 */
export async function readConfiguredGateway(environment: Environment, option: string | null): Promise<string> {
  if (option !== null) return gatewayAddress(option, '--gateway');
  const found = await readUserGateway(environment);
  if (found !== null) return gatewayAddress(found.value, found.where);
  throw new WrongUsage(
    'No gateway is configured. Name it: --gateway https://gateway.example, or gateway: in ~/.gateway/config.yaml.',
  );
}
