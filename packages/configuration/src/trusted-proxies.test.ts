import { describe, expect, it } from 'vitest';
import { liesIn, readTrustedProxies, sourceAddressOf, TRUSTED_PROXIES } from './listening.ts';
import { Reading } from './reading.ts';

function read(value: string) {
  const reading = new Reading({ [TRUSTED_PROXIES.name]: value });
  return { proxies: readTrustedProxies(reading), faults: reading.faults };
}

describe('the trusted proxies', () => {
  it('are none where the variable is absent or blank', () => {
    for (const value of ['', '  ', '\n']) expect(read(value)).toEqual({ proxies: null, faults: [] });
  });

  it('are addresses and networks of both families, with blanks around the commas', () => {
    const { proxies, faults } = read(' 10.0.0.4 ,192.168.0.0/16, 2001:db8::/32,::1 ');
    expect(faults).toEqual([]);
    if (proxies === null) throw new Error('the list is empty');
    for (const address of ['10.0.0.4', '192.168.9.9', '2001:db8::9', '::1'])
      expect(liesIn(proxies, address)).toBe(true);
    for (const address of ['10.0.0.5', '192.169.0.1', '2001:db9::1', '::2', ''])
      expect(liesIn(proxies, address)).toBe(false);
  });

  it('are each reported if they are neither, with an example of how to write them', () => {
    const { faults } = read('10.0.0.4,proxy.example,10.0.0.0/33,');
    expect(faults).toEqual(
      ['"proxy.example"', '"10.0.0.0/33"', '""'].map(
        (entry) =>
          `GATEWAY_TRUSTED_PROXIES: ${entry} is neither an address nor a network. Write addresses or networks separated by commas, for example 10.0.0.4,192.168.0.0/16.`,
      ),
    );
  });

  it('are believed about the caller that they forward, and nobody else is', () => {
    const { proxies } = read('10.0.0.0/8');
    expect(sourceAddressOf('10.1.2.3', '203.0.113.7', proxies)).toBe('203.0.113.7');
    expect(sourceAddressOf('203.0.113.9', '203.0.113.7', proxies)).toBe('203.0.113.9');
  });
});
