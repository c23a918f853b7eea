import { expect, it } from 'vitest';
import { liesIn, type Network, networkOf, sameNetwork } from './network.ts';

const net = (text: string): Network => networkOf(text) as Network;

it.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '10.1.2.2/31', true],
  ['10.255.255.255', '10.0.0.0/8', true],
  ['10.0.0.0/8', '10.0.0.0/16', false],
  ['11.0.0.0', '10.0.0.0/8', false],
  ['10.0.0.0/8', '10.1.0.0/16', false],
  ['10.1.0.0/16', '10.0.0.0/8', true],
  ['1.2.3.4', '0.0.0.0/0', true],
  ['1.2.3.4', '::/0', false],
  ['2001:db8::7', '2001:db8::/32', true],
  ['2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db8::/32', true],
  ['2001:db9::', '2001:db8::/32', false],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64', true],
  ['::1', '::/127', true],
])('%s in %s: %j', (one, other, expected) => expect(liesIn(net(one), net(other))).toBe(expected));

it.each([
  '',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/',
  '::/129',
  '::ffff:10.0.0.1',
  'fe80::1%eth0',
  '1/2/3',
  '010.0.0.1',
])('leaves %j to the engine', (text) => expect(networkOf(text)).toBeNull());

it('recognizes one network in two notations, and distinguishes one of another width', () => {
  expect(sameNetwork(net('2001:db8::'), net('2001:DB8:0:0::0'))).toBe(true);
  expect(sameNetwork(net('10.0.0.0/8'), net('10.0.0.0/9'))).toBe(false);
  expect(sameNetwork(net('10.0.0.0/8'), net('11.0.0.0/8'))).toBe(false);
  expect(sameNetwork(net('0.0.0.0/0'), net('::/0'))).toBe(false);
});
