import { describe, expect, it } from 'vitest';
import { parseNoProxy } from './tunnel.ts';

describe('NO_PROXY', () => {
  it.each([
    [null, 'h', 80, false],
    ['', 'h', 80, false],
    ['*', 'anything', 80, true],
    ['example.org', 'example.org', 80, true],
    ['example.org', 'a.example.org', 80, true],
    ['example.org', 'notexample.org', 80, false],
    ['.example.org', 'a.example.org', 80, true],
    ['*.example.org', 'a.b.example.org', 80, true],
    ['EXAMPLE.org', 'Example.ORG', 80, true],
    ['a, b c', 'b', 80, true],
    ['h:8080', 'h', 8080, true],
    ['h:8080', 'h', 80, false],
    ['127.0.0.1', '127.0.0.1', 9, true],
    ['10.0.0.0/8', '10.9.8.7', 80, true],
    ['10.0.0.0/8', '11.0.0.1', 80, false],
    ['10.0.0.0/8', 'ten.example', 80, false],
    ['::1', '::1', 80, true],
    ['::1', '::2', 80, false],
    ['[::1]', '::1', 80, true],
    ['fd00::/8', 'fd12::1', 80, true],
    ['fd00::/8', 'fe12::1', 80, false],
    ['127.0.0.1', '127.0.0.2', 9, false],
    ['10.0.0.0/99', '10.0.0.1', 80, false],
    ['10.0.0.0/', '192.0.2.1', 80, false],
    ['10.0.0.0/8.5', '10.0.0.1', 80, false],
    ['10.0.0.0/8/9', '10.0.0.1', 80, false],
  ])('%j for %s:%i is %j', (text, host, port, direct) => {
    expect(parseNoProxy(text)(host, port)).toBe(direct);
  });
});
