import { refusal } from '@gateway/contract';
import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyText } from '../testing/body-text.ts';
import { answer, isDocumentationTarget, jsonAnswer, parseTarget, refuse } from './pages.ts';

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

describe('what belongs to the documentation', () => {
  it.each(['/v', '/v/', '/v?x', '/v#x', '/v/1.0.0/index.html', '/v/_search?q=x'])('%s does', (target) => {
    expect(isDocumentationTarget(target)).toBe(true);
  });
  it.each(['/', '', '/vv', '/v1/chat', '/V', '/%76', '//v', '/x/v', '/v%2f', 'http://host/v'])(
    '%s does not',
    (target) => {
      expect(isDocumentationTarget(target)).toBe(false);
    },
  );
});

describe('a target', () => {
  it.each([
    ['/v', [''], ''],
    ['/v/', [''], ''],
    ['/v?a=b', [''], '?a=b'],
    ['/v/1.0.0', ['1.0.0'], ''],
    ['/v/1.0.0/', ['1.0.0', ''], ''],
    ['/v/1.0.0/guide/a.html?x=/../y', ['1.0.0', 'guide', 'a.html'], '?x=/../y'],
    ['/v/a%20b/%C3%A9', ['a b', 'é'], ''],
    ['/v/_search?q=C:\\path', ['_search'], '?q=C:\\path'],
    ['/v/..a/a..b/...', ['..a', 'a..b', '...'], ''],
    ['/v/100%2525', null, ''],
  ])('%s is cut into its segments, each decoded once', (target, segments, query) => {
    expect(parseTarget(target)).toEqual(segments && { segments, query });
  });
  it('takes raw UTF-8 bytes as Node gives them', () => {
    expect(parseTarget(`/v/${Buffer.from('é').toString('latin1')}`)?.segments).toEqual(['é']);
  });
  it.each([
    '/v/..',
    '/v/../etc/passwd',
    '/v/1.0.0/../x',
    '/v/1.0.0/./x',
    '/v/%2e%2e/',
    '/v/%2E%2E/x',
    '/v/.%2e/x',
    '/v/..;/x',
    '/v/..;a=b/x',
    '/v/%2e%2e;/x',
    '/v/..%2f',
    '/v/a%2Fb',
    '/v/a%5cb',
    '/v/a\\b',
    '/v/%00',
    '/v/a%0ab',
    '/v/a%7f',
    '/v/%252e%252e/x',
    '/v/a%252fb',
    '/v/a%2500',
    '/v/%zz',
    '/v/%',
    '/v/a%2',
    '/v/%ff%fe',
    '/v/%c0%ae%c0%ae/',
    '/v/%ed%a0%80',
    '/v/a#b',
    '/v#',
    '/v/a?x#b',
    '/v/..\\a?x',
  ])('%s is refused', (target) => {
    expect(parseTarget(target)).toBeNull();
  });
  it('never yields a segment that could leave a folder, for any target', () => {
    const piece = constantFrom(
      '..',
      '.',
      '/',
      '%2e',
      '%2f',
      '%5c',
      '%25',
      '%00',
      '%',
      '2e',
      '2f',
      ';',
      '\\',
      'a',
      'é',
      '#',
      '?',
    );
    assert(
      property(array(piece, { maxLength: 12 }), (pieces) => {
        for (const segment of parseTarget(`/v/${pieces.join('')}`)?.segments ?? []) {
          expect(segment).not.toMatch(/[/\\]/);
          expect(segment).not.toContain('\u0000');
          expect(['.', '..']).not.toContain(segment);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
