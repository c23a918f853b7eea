import { describe, expect, it } from 'vitest';
import { runToEnd } from '../scan/response.ts';
import { content, scanner, token } from '../testing/model-events.ts';
import { dataOf, decoded, deltasOf } from './event.ts';
import { findComplete } from './events.ts';

function found(text: string) {
  const bytes = Buffer.from(text);
  const data = dataOf(bytes, 'sse');
  const json = data === null ? '' : decoded(data.bytes, data.from, data.to);
  const isJson = data !== null && json.startsWith('{');
  const deltas = isJson ? runToEnd(deltasOf(data, json, JSON.parse(json))) : [];
  return runToEnd(findComplete(scanner, bytes, isJson ? data : null, deltas)).map(({ pointer, start, end }) => [
    pointer,
    bytes.subarray(start, end).toString(),
  ]);
}

describe('a secret that is whole in an event', () => {
  it('has its pointer in the data, and its position in the event', () => {
    const event = { id: 'é', list: [{ 'a/b': `see ${token}` }] };
    expect(found(`event: ü\ndata: ${JSON.stringify(event)}\n\n`)).toEqual([['/list/0/a~1b', token]]);
  });

  it('has no pointer where the data is no JSON', () => {
    expect(found(`data: see ${token}\n\n`)).toEqual([[null, token]]);
    expect(found(`: see ${token}\n\n`)).toEqual([[null, token]]);
  });

  it('is found in the fields beside the data, without a member', () => {
    expect(found(`data: {"a":1}\nid: ${token}\n\n`)).toEqual([['', token]]);
  });

  it('is none in a text that other events continue, which its own channel reads', () => {
    expect(found(`data: ${JSON.stringify(content(`see ${token}`))}\n\n`)).toEqual([]);
  });

  it('is found beside such a text', () => {
    const event = { ...(content(`see ${token}`) as object), note: `and ${token}` };
    expect(found(`data: ${JSON.stringify(event)}\n\n`)).toEqual([['/note', token]]);
  });

  it('is named by a mask where a member has it as its name', () => {
    expect(found(`data: ${JSON.stringify({ [token]: 1 })}\n\n`)).toEqual([['/[secret:access-token]', token]]);
  });
});
