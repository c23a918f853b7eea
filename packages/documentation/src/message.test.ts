import { describe, expect, it } from 'vitest';
import { parseMessage as parseBytes } from './query-server.ts';

const parseMessage = (body: string) => parseBytes(Buffer.from(body));

describe('a request', () => {
  it.each([7, 0, -1, 'seven', '0', '', 1.5])('keeps the id %j', (id) => {
    expect(parseMessage(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }))).toMatchObject({ kind: 'request' });
    const message = parseMessage(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
    expect(JSON.stringify(message && 'id' in message ? message.id : null)).toBe(JSON.stringify(id));
  });
  it.each(['12345678901234567890', '1e400', '0.5e-5', '9007199254740993'])('returns the number %s as written', (id) => {
    const message = parseMessage(`{"params": {"id": 5}, "jsonrpc": "2.0", "id": ${id}, "method": "ping"}`);
    expect(JSON.stringify({ id: message && 'id' in message ? message.id : null })).toBe(`{"id":${id}}`);
  });
  it.each([
    ['a name written with escapes', '{"\\u0069d":12345678901234567890,"jsonrpc":"2.0","method":"a"}'],
    ['the last of several', '{"id":"x","id":1e400,"id":12345678901234567890,"jsonrpc":"2.0","method":"a"}'],
    [
      'quotes, braces and names in texts',
      '{"a":"\\"id\\":{","jsonrpc":"2.0","id" : 12345678901234567890,"method":"}"}',
    ],
    ['the same name further in', '{"id":12345678901234567890,"jsonrpc":"2.0","params":{"id":1e500},"method":"a"}'],
  ])('has its number spelled as in the message itself: %s', (_, body) => {
    const message = parseMessage(body);
    expect(JSON.stringify(message && 'id' in message ? message.id : null)).toBe('12345678901234567890');
  });
  it('may be nested as deeply as its length allows', () => {
    const nested = `${'{"id":['.repeat(50_000)}1${']}'.repeat(50_000)}`;
    for (const id of ['7', '"x"', '12345678901234567890']) {
      const message = parseMessage(`{"jsonrpc":"2.0","id":${id},"method":"ping","params":${nested}}`);
      expect(JSON.stringify(message && 'id' in message ? message.id : null)).toBe(id);
    }
  });
  it('has parameters, or empty ones', () => {
    expect(parseMessage('{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1}}')).toMatchObject({ params: { x: 1 } });
    expect(parseMessage('{"jsonrpc":"2.0","id":1,"method":"a"}')).toMatchObject({ params: {} });
  });
});

it.each([
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
])('%s gets no answer', (body) => {
  expect(parseMessage(body)).toEqual({ kind: 'unanswered' });
});

it.each([
  ['{}', null],
  ['{"id":3}', 3],
  ['{"jsonrpc":"1.0","id":3,"method":"ping"}', 3],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":true,"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":3,"method":7}', 3],
  ['{"jsonrpc":"2.0","id":3}', 3],
  ['{"jsonrpc":"2.0","id":3,"method":"ping","params":[1]}', 3],
  ['{"jsonrpc":"2.0","id":3,"method":"ping","params":null}', 3],
  ['{"__proto__":{"jsonrpc":"2.0","method":"ping"},"id":3}', 3],
])('%s is no message, but an object', (body, id) => {
  expect(parseMessage(body)).toEqual({ kind: 'invalid', id });
});

it.each(['', '{', 'hello', '[]', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', '7', '"x"', 'null', 'true'])(
  '%j is no single message',
  (body) => {
    expect(parseMessage(body)).toBeNull();
  },
);

it.each(['utf16le', 'latin1'] as const)('a body in %s is no message', (encoding) => {
  expect(parseBytes(Buffer.from('{"jsonrpc":"2.0","id":"é","method":"ping"}', encoding))).toBeNull();
});
