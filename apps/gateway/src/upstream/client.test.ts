import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinPath, parseBaseUrl } from './client.ts';

describe('a Base URL', () => {
  it.each([
    ['http://h/v1', 'http://h', '/v1', 80],
    ['https://h:8443/a//b/', 'https://h:8443', '/a//b/', 8443],
    ['HTTP://Engine.Example', 'http://engine.example', '', 80],
    ['https://h/v1', 'https://h', '/v1', 443],
    ['https://[::1]:9/v1', 'https://[::1]:9', '/v1', 9],
    ['http://10.0.0.1/%2F..;x', 'http://10.0.0.1', '/%2F..;x', 80],
  ])('%j is parsed', (text, origin, path, port) => {
    expect(parseBaseUrl(text)).toMatchObject({ origin, path, port });
  });
  it('shows whether TLS is used, and with which name', () => {
    expect(parseBaseUrl('HTTPS://Engine:8443/v1')).toMatchObject({ secure: true, authority: 'engine:8443' });
    expect(parseBaseUrl('http://Engine/v1')).toMatchObject({ secure: false, authority: 'engine' });
  });
  it('keeps an IPv6 host usable for a socket', () => {
    expect(parseBaseUrl('http://[::1]/')?.hostname).toBe('::1');
  });
  it.each([
    '',
    'h/v1',
    'ftp://h/',
    'http://',
    'http:///v1',
    'http://user@h/',
    'http://user:pass@h/v1',
    'http://h/v1?x=1',
    'http://h/v1#x',
    'http://h?x',
    'http://h/a b',
    'http://h/\u00e9',
    'http://h\\evil/',
    'http://h:99999/',
    'file:///etc/passwd',
    'http://h/\n',
  ])('%j is refused', (text) => {
    expect(parseBaseUrl(text)).toBeNull();
  });
});

describe('joining', () => {
  it.each([
    ['http://h/v1', '/chat/completions', '/v1/chat/completions'],
    ['http://h/v1/', '/chat', '/v1//chat'],
    ['http://h', '/a//b/%2F/%41/../~', '/a//b/%2F/%41/../~'],
    ['http://h', '', '/'],
    ['http://h', '?a=1', '/?a=1'],
    ['http://h/v1', '?a=1', '/v1?a=1'],
    ['http://h/v1', '//evil/x', '/v1//evil/x'],
    ['http://h', '//evil/x', '//evil/x'],
    ['http://h', '/@evil', '/@evil'],
  ])('%j and %j give %j', (base, rest, path) => {
    expect(joinPath(parseBaseUrl(base)!, rest)).toBe(path);
  });

  // relay-3, relay-4
  it('keeps any rest after the authority byte for byte', () => {
    const base = parseBaseUrl('http://engine.example:8080')!;
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.constantFrom('/', '?', '//', '/\\'), (tail, start) => {
        const path = joinPath(base, start + tail);
        expect(path.startsWith('/')).toBe(true);
        expect(path.endsWith(start + tail)).toBe(true);
      }),
    );
  });
});
