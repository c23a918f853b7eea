import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sourceAddressOf } from './listening.ts';

const PROXIES = new BlockList();
PROXIES.addSubnet('10.0.0.0', 8, 'ipv4');
PROXIES.addSubnet('2001:db8::', 32, 'ipv6');

describe('the source address, by which a policy may forbid (limits-9)', () => {
  it.each<[string, string | undefined, string | null, BlockList | null, string | null]>([
    ['is the peer where no proxy is declared', '10.0.0.1', '1.2.3.4', null, '10.0.0.1'],
    ['is the peer where it is no declared proxy', '192.0.2.1', '1.2.3.4', PROXIES, '192.0.2.1'],
    ['is the peer where nothing was forwarded', '10.0.0.1', null, PROXIES, '10.0.0.1'],
    ['is unknown for a closed connection', undefined, '1.2.3.4', PROXIES, null],
    ['is what a proxy saw', '10.0.0.1', '1.2.3.4', PROXIES, '1.2.3.4'],
    ['is what a proxy saw by IPv6', '2001:db8::1', '2001:db9::2', PROXIES, '2001:db9::2'],
    ['is what the last proxy saw, not what its caller claims', '10.0.0.1', '6.6.6.6,1.2.3.4', PROXIES, '1.2.3.4'],
    ['is looked for behind every proxy', '10.0.0.1', '1.2.3.4, 10.0.0.3 , 2001:db8::2', PROXIES, '1.2.3.4'],
    ['is the first proxy where all of them are', '10.0.0.1', '10.0.0.2, 10.0.0.3', PROXIES, '10.0.0.2'],
    ['is nothing behind what is no address', '10.0.0.1', '1.2.3.4, unknown, 10.0.0.2', PROXIES, '10.0.0.2'],
    ['is not what text ends in', '10.0.0.1', 'unknown1.2.3.4', PROXIES, '10.0.0.1'],
    ['is nothing behind what is empty', '10.0.0.1', '1.2.3.4, ', PROXIES, '10.0.0.1'],
    ['is written as IPv4 by a socket that listens on both', '::ffff:192.0.2.1', null, null, '192.0.2.1'],
    ['is compared as IPv4 there', '::ffff:10.0.0.1', '::ffff:1.2.3.4', PROXIES, '1.2.3.4'],
    ['stays IPv6 where it only has a similar beginning', '::ffff:0:1', null, PROXIES, '::ffff:0:1'],
  ])('%s', (_, peer, forwardedFor, trusted, address) => {
    expect(sourceAddressOf(peer, forwardedFor, trusted)).toBe(address);
  });
});
