import { describe, expect, it } from 'vitest';
import { PROXY_FORM, readProxy } from './proxy.ts';
import { Reading, type Variable } from './reading.ts';

const PROXY: Variable = { name: 'HTTPS_PROXY', form: PROXY_FORM, fallback: 'none', effect: 'Is used.' };

function read(environment: Record<string, string>) {
  const reading = new Reading(environment);
  return { url: readProxy(reading, PROXY)?.href ?? null, faults: reading.faults };
}

describe('the address of a proxy', () => {
  it.each([
    ['http://proxy.example:3128', 'http://proxy.example:3128/'],
    ['https://proxy.example', 'https://proxy.example/'],
    ['http://10.0.0.1:3128/', 'http://10.0.0.1:3128/'],
    ['http://[2001:db8::1]:3128', 'http://[2001:db8::1]:3128/'],
    ['http://user:p%40ss@proxy.example:3128', 'http://user:p%40ss@proxy.example:3128/'],
    ['HTTP://Proxy.Example:80', 'http://proxy.example/'],
    ['  http://proxy.example:3128\n', 'http://proxy.example:3128/'],
  ])('may be %j', (value, href) => {
    expect(read({ HTTPS_PROXY: value })).toEqual({ url: href, faults: [] });
  });

  it('is that of the variable in capitals, else of the one in lower case, else none', () => {
    const [one, other] = ['http://one:1/', 'http://other:2/'];
    expect(read({ https_proxy: other }).url).toBe(other);
    expect(read({ HTTPS_PROXY: one, https_proxy: other }).url).toBe(one);
    expect(read({ HTTPS_PROXY: ' ', https_proxy: other }).url).toBe(other);
    expect(read({ Https_Proxy: one })).toEqual({ url: null, faults: [] });
  });

  it.each([
    'proxy.example:3128',
    'proxy.example',
    'socks5://proxy.example:1080',
    'http://',
    'http://proxy.example:0',
    'http://proxy.example:65536',
    'http://proxy.example/path',
    'http://proxy.example/?q=1',
    'http://proxy.example/#part',
    'http://proxy example',
    'direct',
  ])('is not %j, and the message shows how it is written', (value) => {
    expect(read({ HTTPS_PROXY: value })).toEqual({
      url: null,
      faults: ['HTTPS_PROXY: is not the address of a proxy. Write it as http://host:port, without a path.'],
    });
  });

  it.each(['http://us%er:x@proxy.example:1', 'http://user:100%@proxy.example:1', 'http://user:%ff@proxy.example:1'])(
    'has a user and a password that can be decoded: %s',
    (value) => {
      expect(read({ HTTPS_PROXY: value })).toEqual({
        url: null,
        faults: ['HTTPS_PROXY: has a user or a password with a broken percent-encoding. Write % as %25.'],
      });
    },
  );

  it('never has its password in a message', () => {
    for (const value of [
      'http://u:hunter2@proxy/path',
      'ftp://u:hunter2@proxy',
      'http://u:hunter2%@proxy',
      'hunter2',
    ]) {
      const { faults } = read({ https_proxy: value });
      expect(faults).toHaveLength(1);
      expect(faults.join()).not.toContain('hunter2');
    }
  });
});
