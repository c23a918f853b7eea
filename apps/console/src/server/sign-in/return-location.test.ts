import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { returnLocationOf } from './return-location.ts';

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
    ['more than is kept', `/#${'a'.repeat(2000)}`],
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
