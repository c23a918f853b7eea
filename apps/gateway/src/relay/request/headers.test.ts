import { describe, expect, it } from 'vitest';
import { headersToCaller, headersToProvider, lowerCased } from './headers.ts';

const flat = (headers: readonly (readonly [string, string])[]): string[] => headers.flat();

describe('headers of an answer', () => {
  // relay-19
  it('show whether the provider controls buffering itself, and add nothing of the gateway', () => {
    const raw = flat([
      ['X-Accel-Buffering', 'yes'],
      ['X-Gateway-Session-Standing', 'revoked'],
    ]);
    expect(headersToCaller(raw)).toMatchObject({ raw: ['X-Accel-Buffering', 'yes'], buffering: true });
    expect(headersToCaller([]).buffering).toBe(false);
  });
});

describe('headers to the provider', () => {
  it('drops what the contract lists, in every spelling, and keeps the rest as written (relay-9)', () => {
    const raw = flat([
      ['Host', 'gateway'],
      ['Accept-Encoding', 'br'],
      ['AUTHORIZATION', 'Bearer caller'],
      ['X-Api-Key', 'caller'],
      ['Content-Length', '3'],
      ['Content-Type', 'application/json'],
      ['X-Gateway-Session', 's'],
      ['X-Request-Id', 'r'],
      ['Cookie', 'a=1'],
      ['cookie', 'b=2'],
      ['X-Forwarded-For', '10.1.2.3'],
      ['X-Odd', 'caf\u00e9'],
    ]);
    expect(headersToProvider(raw, null, null, '')).toEqual(
      flat([
        ['Content-Type', 'application/json'],
        ['X-Gateway-Session', 's'],
        ['X-Request-Id', 'r'],
        ['Cookie', 'a=1'],
        ['cookie', 'b=2'],
        ['X-Forwarded-For', '10.1.2.3'],
        ['X-Odd', 'caf\u00e9'],
      ]),
    );
  });

  // relay-7
  it('drops only the caller’s proof, in any header', () => {
    const raw = flat([
      ['x-goog-api-key', 'gwk_abc'],
      ['Api-Key', 'gwk_abc'],
      ['Cookie', 'a=1; key=gwk_abc'],
      ['x-kept', 'gwk_ab'],
    ]);
    expect(headersToProvider(raw, null, null, 'gwk_abc')).toEqual(['x-kept', 'gwk_ab']);
    expect(headersToProvider(raw, null, ['x-goog-api-key', 'KEY'], 'gwk_abc')).toEqual([
      'x-kept',
      'gwk_ab',
      'x-goog-api-key',
      'KEY',
    ]);
  });

  it('drops hop-by-hop fields and those the Connection header names', () => {
    const raw = flat([
      ['Connection', 'close, X-Hop'],
      ['x-hop', '1'],
      ['Keep-Alive', 'timeout=5'],
      ['TE', 'trailers'],
      ['Trailer', 'x'],
      ['Transfer-Encoding', 'chunked'],
      ['Upgrade', 'x'],
      ['Proxy-Authorization', 'Basic x'],
      ['Proxy-Connection', 'keep-alive'],
      ['Expect', '100-continue'],
      ['x-kept', '1'],
    ]);
    expect(headersToProvider(raw, 'close, X-Hop', null, '')).toEqual(['x-kept', '1']);
  });

  // relay-10
  it('puts the provider key into the declared header and drops the caller’s own of that name', () => {
    const raw = flat([
      ['X-Engine-Key', 'smuggled'],
      ['x-api-key', 'caller'],
    ]);
    expect(headersToProvider(raw, null, ['x-engine-key', 'KEY'], '')).toEqual(['x-engine-key', 'KEY']);
    expect(headersToProvider(['x-engine-key', 'smuggled'], null, ['X-Engine-Key', 'KEY'], '')).toEqual([
      'X-Engine-Key',
      'KEY',
    ]);
    expect(headersToProvider(raw, null, ['X-API-Key', 'KEY'], '')).toEqual([
      'X-Engine-Key',
      'smuggled',
      'X-API-Key',
      'KEY',
    ]);
    expect(headersToProvider(raw, null, ['authorization', 'Bearer KEY'], '')).toEqual([
      'X-Engine-Key',
      'smuggled',
      'authorization',
      'Bearer KEY',
    ]);
  });

  it('keeps names that only look like members of every object', () => {
    expect(headersToProvider(['__proto__', 'a', 'constructor', 'b'], null, null, '')).toEqual([
      '__proto__',
      'a',
      'constructor',
      'b',
    ]);
  });
});

describe('headers to the caller', () => {
  // relay-17
  it('drops content-encoding, transfer-encoding and hop-by-hop fields, keeps the rest in order', () => {
    const answer = headersToCaller(
      flat([
        ['Content-Type', 'application/json'],
        ['Content-Length', '13'],
        ['Content-Encoding', 'GZIP'],
        ['Transfer-Encoding', 'chunked'],
        ['Connection', 'keep-alive, x-hop'],
        ['X-Hop', '1'],
        ['Set-Cookie', 'a'],
        ['Set-Cookie', 'b'],
        ['Retry-After', '7'],
      ]),
    );
    expect(answer.raw).toEqual([
      'Content-Type',
      'application/json',
      'Set-Cookie',
      'a',
      'Set-Cookie',
      'b',
      'Retry-After',
      '7',
    ]);
    expect(answer).toMatchObject({ contentLength: '13', codings: ['gzip'], eventStream: false });
  });

  it('drops what any of several Connection headers names', () => {
    const answer = headersToCaller(
      flat([
        ['Connection', 'x-one'],
        ['X-One', '1'],
        ['Connection', 'close'],
        ['Connection', 'X-Two, x-three'],
        ['x-two', '2'],
        ['x-Three', '3'],
        ['x-kept', '4'],
      ]),
    );
    expect(answer.raw).toEqual(['x-kept', '4']);
  });

  it('reads a length without the blanks around it', () => {
    expect(headersToCaller(flat([['content-length', ' 13\t']])).contentLength).toBe('13');
  });

  it('lists a transfer coding as the last one applied', () => {
    const answer = headersToCaller(
      flat([
        ['transfer-encoding', 'Gzip, chunked'],
        ['content-encoding', 'br, ,'],
      ]),
    );
    expect(answer.codings).toEqual(['br', 'gzip']);
  });

  it('lists chained codings in the order they were applied', () => {
    const answer = headersToCaller(
      flat([
        ['content-encoding', 'deflate, identity'],
        ['content-encoding', 'br'],
      ]),
    );
    expect(answer.codings).toEqual(['deflate', 'br']);
  });

  it.each([
    ['text/event-stream', true],
    ['Text/Event-Stream; charset=utf-8', true],
    ['text/event-streams', false],
    ['x-text/event-stream', false],
    ['application/json', false],
  ])('takes %j for an event stream: %j', (type, expected) => {
    expect(headersToCaller(flat([['content-type', type]])).eventStream).toBe(expected);
  });
});

describe('lower-casing', () => {
  it('is the same for known and unknown spellings', () => {
    for (const name of ['X-A', 'X-A', 'x'.repeat(100), 'HOST']) expect(lowerCased(name)).toBe(name.toLowerCase());
  });
});
