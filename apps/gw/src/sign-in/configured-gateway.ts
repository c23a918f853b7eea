import type { Environment } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import { readUserGateway } from '../trust/sources.ts';

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

/**
 * The base address of a gateway in the one form that is compared and stored: no slash at its end.
 * @param where names the option, variable or member that it is from.
 * @throws WrongUsage unless it is an http or https address without user name, query and fragment.
 */
export function gatewayAddress(text: string, where: string): string {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
  if (isAddress && url.search + url.hash === '') return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  throw new WrongUsage(`${where} must be an address such as https://gateway.example, without user name and query.`);
}

/** Whether what is sent there can be read on the way: plain HTTP to another machine. */
export function isReadOnTheWay(gateway: string): boolean {
  const { protocol, hostname } = new URL(gateway);
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
