import { BlockList } from 'node:net';
import { expect, it } from 'vitest';
import { addNetwork, liesIn } from './networks.ts';

it.each([
  ['10.0.0.4', '10.0.0.4', '10.0.0.5'],
  ['192.168.0.0/16', '192.168.255.255', '192.169.0.0'],
  ['0.0.0.0/0', '203.0.113.9', '::1'],
  ['2001:db8::/32', '2001:db8:ffff::1', '2001:db9::'],
  ['2001:db8::1/128', '2001:db8::1', 'engine.example'],
])('%s contains %s and not %s', (text, inside, outside) => {
  const list = new BlockList();
  expect(addNetwork(list, text)).toBe(true);
  expect([liesIn(list, inside), liesIn(list, outside)]).toEqual([true, false]);
});

it.each(['', '/8', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/-1', '::/129', '10.0.0', 'engine.example'])(
  'neither an address nor a network: "%s"',
  (text) => {
    expect(addNetwork(new BlockList(), text)).toBe(false);
  },
);
