import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Head, MOST_HEADERS, readHead } from './head.ts';

type Fields = readonly (readonly [name: string, value: string])[];

const read = (fields: Fields, httpVersion = '1.1') =>
  readHead({ rawHeaders: fields.flat(), httpVersion } as unknown as IncomingMessage);
/** What is read beside a host. */
function headOf(fields: Fields, httpVersion?: string): Head {
  const head = read([['Host', 'gateway'], ...fields], httpVersion);
  if ('code' in head) throw new Error(head.code);
  return head;
}

describe('the head of a request', () => {
  it('with only a host names nothing, and no body follows', () => {
    expect(headOf([])).toEqual({
      authorization: '',
      apiKey: '',
      session: null,
      requestId: null,
      connection: null,
      forwardedFor: null,
      expectsContinue: false,
      hasBody: false,
      contentLength: null,
    });
  });
  it('is read with names in any case', () => {
    const fields: Fields = [
      ['AUTHORIZATION', 'Bearer a'],
      ['X-Api-Key', 'k'],
      ['X-Gateway-Session', 's'],
      ['x-request-ID', 'r'],
      ['Connection', 'x-own'],
      ['X-Forwarded-For', '10.0.0.1'],
      ['Expect', '100-Continue'],
      ['Content-Length', '7'],
    ];
    expect(headOf(fields)).toEqual({
      authorization: 'Bearer a',
      apiKey: 'k',
      session: 's',
      requestId: 'r',
      connection: 'x-own',
      forwardedFor: '10.0.0.1',
      expectsContinue: true,
      hasBody: true,
      contentLength: 7,
    });
  });
  it('has a body where one is announced, of a length or in chunks', () => {
    expect(headOf([['Content-Length', '0']])).toMatchObject({ hasBody: false, contentLength: 0 });
    expect(headOf([['Transfer-Encoding', 'Chunked']])).toMatchObject({ hasBody: true, contentLength: null });
  });
  it('lets the first request id count, and joins what several hops added', () => {
    const twice = (name: string, one: string, other: string): Fields => [
      [name, one],
      [name, other],
    ];
    expect(headOf(twice('X-Request-Id', 'first', 'second')).requestId).toBe('first');
    expect(headOf(twice('X-Forwarded-For', '10.0.0.1', '10.0.0.2')).forwardedFor).toBe('10.0.0.1, 10.0.0.2');
    expect(headOf(twice('Connection', 'close', 'x-own')).connection).toBe('close, x-own');
  });
  it('ignores Expect in HTTP/1.0 (RFC 9110 section 10.1.1)', () => {
    expect(headOf([['Expect', '100-continue']], '1.0').expectsContinue).toBe(false);
    expect(headOf([['Expect', 'the impossible']], '1.0').expectsContinue).toBe(false);
  });
});

describe('the session of a request is the one that is revoked by name (refusals-7)', () => {
  it.each([
    ['', null],
    ['root', 'root'],
    ['caf\u00c3\u00a9', 'café'],
    ['caf\u00e9', 'caf\u00e9'],
    ['\u00ef\u00bb\u00bfroot', '\ufeffroot'],
  ])('%j is %j', (written, session) => {
    expect(headOf([['x-gateway-session', written]]).session).toBe(session);
  });
});

describe('a head that two readers could read in two ways is refused', () => {
  it.each(['Host', 'Authorization', 'X-Api-Key', 'X-Gateway-Session', 'Content-Length'])('%s given twice', (name) => {
    const host: Fields = name === 'Host' ? [] : [['Host', 'gateway']];
    expect(read([...host, [name, '7'], [name.toLowerCase(), '7']])).toMatchObject({
      code: 'malformed-request',
      details: { fault: `${name.toLowerCase()} is given twice` },
    });
  });
  it.each(['gzip', 'gzip, chunked', 'chunked, gzip', 'xchunked', 'chunkedx', 'identity', ''])(
    'a transfer coding of %j',
    (coding) => {
      const refused = read([
        ['Host', 'gateway'],
        ['Transfer-Encoding', coding],
      ]);
      expect(refused).toMatchObject({
        code: 'malformed-request',
        details: { fault: 'its transfer coding is not chunked' },
      });
    },
  );
  it('a chunked body in HTTP/1.0, which has no chunks (RFC 9112 section 6.1)', () => {
    for (const coding of ['chunked', 'gzip'])
      expect(read([['Transfer-Encoding', coding]], '1.0')).toMatchObject({
        code: 'malformed-request',
        details: { fault: 'HTTP/1.0 has no transfer coding' },
      });
  });
  it.each(['a b', 'user@host', 'host/path', 'host:port', '[::1', 'a%zz'])('a host of %j', (host) => {
    for (const version of ['1.0', '1.1', '2.0'])
      expect(read([['Host', host]], version)).toMatchObject({
        details: { fault: 'host is not a host name or an address' },
      });
  });
  it.each(['', 'gateway', 'gateway:6001', '127.0.0.1:', '[::1]:6001', '[fe80::1%25eth0]', 'a%2Fb'])(
    'but not the host %j',
    (host) => expect(read([['Host', host]])).not.toHaveProperty('code'),
  );
  it('no host, in HTTP/1.1 alone', () => {
    expect(read([])).toMatchObject({ code: 'malformed-request', details: { fault: 'host is missing' } });
    expect(read([], '1.0')).not.toHaveProperty('code');
    expect(read([], '2.0')).not.toHaveProperty('code');
  });
  it.each(['100-continue, more', 'x100-continue', 'the impossible', ''])('an expectation of %j', (expectation) => {
    expect(
      read([
        ['Host', 'gateway'],
        ['Expect', expectation],
      ]),
    ).toMatchObject({ code: 'expectation-unknown' });
  });
  it('more headers than Node.js would keep', () => {
    const more = (count: number): Fields => Array.from({ length: count }, (_, index) => [`x-${index}`, '']);
    expect(read([['Host', 'gateway'], ...more(MOST_HEADERS - 1)])).not.toHaveProperty('code');
    expect(read([['Host', 'gateway'], ...more(MOST_HEADERS)])).toMatchObject({ code: 'too-many-headers' });
  });
});
