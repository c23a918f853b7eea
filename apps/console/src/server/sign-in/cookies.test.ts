import { describe, expect, it } from 'vitest';
import { cookieJar } from './cookies.ts';

const request = (cookie: string) => new Request('http://console.example/', { headers: { cookie } });

describe('a cookie', () => {
  it('is for this host over TLS alone where the console is served over TLS', () => {
    expect(cookieJar('session', true).set('v', 60)).toBe(
      '__Host-gateway-console-session=v; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
  });
  it('is sent in the clear where the console is', () => {
    expect(cookieJar('session', false).set('v', 60)).toBe(
      'gateway-console-session=v; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
    );
  });
  it('is removed at once', () => {
    expect(cookieJar('session', true).clear()).toMatch(/=; Max-Age=0; .*Secure$/);
  });
  it.each([
    ['gateway-console-session=v', 'v'],
    ['a=b; gateway-console-session=v; c=d', 'v'],
    ['a=b;gateway-console-session=v', 'v'],
    ['gateway-console-session=a=b', 'a=b'],
    ['gateway-console-session=', ''],
    ['', undefined],
    ['x-gateway-console-session=v', undefined],
    ['gateway-console-session2=v', undefined],
    ['gateway-console-session=a; gateway-console-session=b', undefined],
  ])('is read from %j', (header, value) => {
    expect(cookieJar('session', false).read(request(header))).toBe(value);
  });
  it('of plain HTTP is ignored over TLS: another host may have planted it', () => {
    expect(cookieJar('session', true).read(request('gateway-console-session=v'))).toBeUndefined();
  });
});
