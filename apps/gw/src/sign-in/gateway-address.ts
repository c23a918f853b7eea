import { WrongUsage } from '../process/fault.ts';

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
