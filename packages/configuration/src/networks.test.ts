import { BlockList } from 'node:net';
import { array, assert, integer, property } from 'fast-check';
import { expect, it } from 'vitest';
import { addNetwork, liesIn } from './listening.ts';

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

it('a network contains the addresses that share its first bits, for any prefix', () => {
  const byte = integer({ min: 0, max: 255 });
  const bytes = array(byte, { minLength: 4, maxLength: 4 });
  const asBits = (address: readonly number[]) => address.map((part) => part.toString(2).padStart(8, '0')).join('');
  assert(
    property(bytes, bytes, integer({ min: 0, max: 32 }), integer({ min: 0, max: 32 }), (one, other, prefix, shared) => {
      // The other address gets some of the first bits, because two random ones share few.
      const bits = asBits(one).slice(0, shared) + asBits(other).slice(shared);
      const address = [0, 8, 16, 24].map((at) => Number.parseInt(bits.slice(at, at + 8), 2));
      const list = new BlockList();
      expect(addNetwork(list, `${one.join('.')}/${prefix}`)).toBe(true);
      expect(liesIn(list, address.join('.'))).toBe(bits.slice(0, prefix) === asBits(one).slice(0, prefix));
    }),
    { numRuns: 300 },
  );
});
