import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { http, loadHttps } from '../process/network.ts';
import { FETCH_BYTES } from './jobs.ts';

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
function namesItself(hostname: string): boolean {
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

/** Milliseconds for the whole answer. */
const LONGEST_MS = 30_000;

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly location: string | null;
  readonly body: Buffer;
  /** The body is longer than what is read. */
  readonly cut: boolean;
}

/**
 * Gets an address once, redirects not followed, at most `FETCH_BYTES` of it. `proxies` are the variables that name the
 * proxies of the organization.
 */
export function getPage(url: URL, signal: AbortSignal, proxies: Readonly<Record<string, string>>): Promise<Page> {
  const secure = url.protocol === 'https:';
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const { Agent, get } = secure ? loadHttps() : http;
  const agent = new Agent({ proxyEnv: proxies });
  return new Promise((resolve, reject) => {
    const headers = {
      'user-agent': 'gw',
      accept: 'text/html,text/plain,text/markdown,application/json;q=0.9,*/*;q=0.5',
    };
    const request = get(url, { agent, headers, signal: limit, lookup: guardedLookup }, (answer) => {
      const parts: Buffer[] = [];
      let size = 0;
      const done = (cut: boolean): void => {
        const { location, 'content-type': type = '' } = answer.headers;
        resolve({
          status: answer.statusCode ?? 0,
          type,
          location: location ?? null,
          body: Buffer.concat(parts).subarray(0, FETCH_BYTES),
          cut,
        });
        request.destroy();
      };
      answer.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size > FETCH_BYTES) done(true);
      });
      answer.once('end', () => done(false));
      answer.once('error', fail);
    });
    const fail = (error: Error): void => {
      if (signal.aborted) reject(signal.reason as Error);
      else reject(limit.aborted ? new Error(`no complete answer within ${LONGEST_MS / 1000} seconds`) : error);
    };
    request.once('error', fail);
  });
}
