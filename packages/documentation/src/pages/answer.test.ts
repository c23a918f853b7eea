import { refusal } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import { bodyText } from '../testing/body-text.ts';
import { answer, jsonAnswer, refuse } from './answer.ts';

describe('an answer', () => {
  it.each([
    ['bytes', Buffer.from('é'), '2'],
    ['no bytes', Buffer.alloc(0), '0'],
    ['a part of a file', { path: '/x', mark: 'm', start: 10, end: 19 }, '10'],
    ['one byte of a file', { path: '/x', mark: 'm', start: 5, end: 5 }, '1'],
  ])('of %s has their length', (_, body, length) => {
    expect(answer(200, {}, body).headers['content-length']).toBe(length);
  });

  it('without a body has no length', () => {
    expect(answer(304, { etag: '"a"' }, null).headers).not.toHaveProperty('content-length');
  });

  it('always forbids guessing the type, other origins and the referrer', () => {
    for (const one of [answer(200, {}, null), jsonAnswer(200, {}), refuse(refusal('documentation-page'))]) {
      expect(one.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  it('in JSON is not cached, and its length counts bytes', () => {
    const { headers, body } = jsonAnswer(201, { text: 'é€' }, { 'x-more': '1' });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache', 'x-more': '1' });
    expect([bodyText({ body }), headers['content-length']]).toEqual(['{"text":"é€"}', '16']);
  });

  it('of a refusal has its status, its sentence and its headers', () => {
    const refused = refuse(refusal('documentation-read-only', { headers: { allow: 'GET' } }));
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    expect(JSON.parse(bodyText(refused))).toEqual({
      error: 'Documentation is read-only: only GET and HEAD are served under this path.',
    });
  });
});
