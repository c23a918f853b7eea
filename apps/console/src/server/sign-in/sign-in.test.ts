import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_RETURN_LOCATION } from './longest-return-location.ts';
import { cookieJar, returnLocationOf } from './sign-in.ts';

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

const BASE = 'https://console.example';

describe('where a sign-in leads', () => {
  it.each([
    ['/', '/', ''],
    ['/audit', '/audit', ''],
    ['/project', '/project', ''],
    ['/#', '/', '#'],
    ['/#audit/verification', '/', '#audit/verification'],
    [
      "/audit#audit/decisions?subject=ada+l.&from=2026-01-01T00%3A00%3A00Z&at=WyJ4Il0-_~!$'()*",
      '/audit',
      "#audit/decisions?subject=ada+l.&from=2026-01-01T00%3A00%3A00Z&at=WyJ4Il0-_~!$'()*",
    ],
    ['/#//evil.example', '/', '#//evil.example'],
    ['/#'.padEnd(LONGEST_RETURN_LOCATION, 'a'), '/', '#'.padEnd(LONGEST_RETURN_LOCATION - 1, 'a')],
  ])('%s', (text, surface, fragment) => {
    expect(returnLocationOf(text)).toEqual({ surface, fragment });
  });
  it.each([
    ['nothing', null],
    ['an empty text', ''],
    ['another host', 'https://evil.example/'],
    ['another host without a scheme', '//evil.example'],
    ['another host behind a surface', '//evil.example/audit'],
    ['backslashes, which browsers take for slashes', '/\\evil.example'],
    ['backslashes alone', '\\\\evil.example'],
    ['a slash too many', '//'],
    ['user info', '/@evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a way up', '/../audit'],
    ['an address that is no page', '/api/providers'],
    ['the end of the session', '/auth/logout'],
    ['a query', '/?x=1'],
    ['what every object has', '/constructor'],
    ['a header', '/#a\r\nset-cookie: x=y'],
    ['a line break alone', '/#a\n'],
    ['a line break at its end', '/audit\n'],
    ['a tab, which browsers leave out', '/\t/evil.example'],
    ['a space before', ' /'],
    ['NUL', '/#\0'],
    ['a quote', '/#"><script>'],
    ['a fragment in it', '/#a#b'],
    ['what is no escape', '/#%zz'],
    ['letters beyond ASCII', '/#é'],
    ['a capital', '/AUDIT'],
    ['an encoded slash', '/%2Fevil.example'],
    ['more than is kept', `/#${'a'.repeat(LONGEST_RETURN_LOCATION - 1)}`],
  ])('refuses every other location: %s', (_, text) => {
    expect(returnLocationOf(text)).toBeNull();
  });
  it('is in this console, for any input', () => {
    const hostile = fc.array(
      fc.oneof(
        fc.constantFrom(
          '/',
          '\\',
          '#',
          '//',
          'audit',
          'https:',
          '@',
          '.',
          '%2f',
          '\r\n',
          '\t',
          ':',
          'evil.example',
          '?',
        ),
        fc.string({ maxLength: 3 }),
      ),
    );
    fc.assert(
      fc.property(hostile, (pieces) => {
        const place = returnLocationOf(pieces.join(''));
        if (place === null) return;
        const led = new URL(place.surface + place.fragment, `${BASE}/auth/callback?code=x`);
        expect(led.origin).toBe(BASE);
        expect(['/', '/audit', '/project']).toContain(led.pathname);
        expect(new Headers({ location: place.surface + place.fragment }).get('location')).toBe(
          place.surface + place.fragment,
        );
      }),
      { verbose: true, numRuns: 2000 },
    );
  });
});
