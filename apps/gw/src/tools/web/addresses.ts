import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Where services of this machine and of its cloud listen: no name of another host leads there by right. */
const OWN = new BlockList();
OWN.addSubnet('127.0.0.0', 8);
OWN.addSubnet('169.254.0.0', 16);
OWN.addAddress('0.0.0.0');
OWN.addAddress('::1', 'ipv6');
OWN.addAddress('::', 'ipv6');
OWN.addSubnet('fe80::', 10, 'ipv6');
OWN.addAddress('fd00:ec2::254', 'ipv6');

/** Whether an address belongs to this machine or to the link, the metadata services of clouds included. */
export function isOwnAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '');
  const version = isIP(plain);
  return version !== 0 && OWN.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a host is called by what it is: an address, or `localhost`. What was approved is then what is called. */
export function namesItself(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || /^(?:.+\.)?localhost$/i.test(hostname);
}

/** Resolves names as the system does, but refuses a name that resolves to this machine: it would not be the approved host. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) return callback(error, '');
    const own = found.find(({ address }) => isOwnAddress(address));
    if (own !== undefined && !namesItself(hostname)) {
      return callback(
        new Error(
          `${hostname} leads to ${own.address}, an address of this machine or its network link. Name the address itself if it is meant.`,
        ),
        '',
      );
    }
    if (options.all === true) return callback(null, found);
    return callback(null, found[0]?.address ?? '', found[0]?.family);
  });
};
