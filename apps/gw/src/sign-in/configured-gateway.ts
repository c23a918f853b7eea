import { join } from 'node:path';
import { readYaml } from '../configuration/yaml-text.ts';
import { readText } from '../files/reading.ts';
import type { Environment } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import { gatewayAddress } from './gateway-address.ts';

/**
 * The gateway to sign in to: `--gateway`, else GATEWAY_URL, else the `gateway` of the user's own configuration. A project's
 * configuration does not count: a cloned one could ask for the user's key.
 * @throws WrongUsage where there is none, or it is no address.
 */
export async function readConfiguredGateway(
  { variables, homeDirectory }: Environment,
  option: string | null,
): Promise<string> {
  if (option !== null) return gatewayAddress(option, '--gateway');
  const variable = variables.get('GATEWAY_URL');
  if (variable !== undefined) return gatewayAddress(variable, 'GATEWAY_URL');
  for (const name of homeDirectory === null ? [] : ['config.yaml', 'config.yml']) {
    const read = await readText(join(homeDirectory ?? '', '.gateway', name));
    if (read.state !== 'read') continue;
    const { gateway } = (readYaml(read.text).data ?? {}) as Partial<Record<string, unknown>>;
    if (typeof gateway === 'string') return gatewayAddress(gateway, `The member gateway of ~/.gateway/${name}`);
    break;
  }
  throw new WrongUsage(
    'No gateway is configured. Name it: --gateway https://gateway.example, or gateway: in ~/.gateway/config.yaml.',
  );
}
