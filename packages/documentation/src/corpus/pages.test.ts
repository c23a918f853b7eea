import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestArchive, writeArchive } from '../testing/archive.ts';
import { type Archive, loadArchive } from './archive.ts';
import { answerPage, type PageHeaders, parseTarget, refuseMethod } from './pages.ts';

let folder: TestArchive;
let archive: Archive;

beforeAll(async () => {
  folder = writeArchive({
    'llms.txt': 'agents',
    'guide/index.html': '<h1>Guide</h1>',
    'guide/install.html': '<h1>Install</h1>',
    'guide/both.html': 'page',
    'guide/both/index.html': 'folder',
    'empty/file.txt': 'x',
    'assets/app.js': 'plain script',
    'assets/app.js.br': 'brotli',
    'assets/app.js.gz': 'gzip',
    'a b/é.txt': 'accents',
    'digits.txt': '0123456789',
    'nothing.txt': '',
    'picture.svg': '<svg/>',
    'old.html': Buffer.from('<meta charset="iso-8859-1"><p>Größe</p>', 'latin1'),
    'old.bin': Buffer.from([0xff, 0x00]),
  });
  const loaded = await loadArchive(folder.folder);
  if ('fault' in loaded) throw new Error(loaded.fault);
  archive = loaded;
});
afterAll(() => folder.remove());

function get(target: string, headers: PageHeaders = {}) {
  const address = parseTarget(target);
  if (address === null) throw new Error(`${target} is no documentation path`);
  const { status, headers: sent, body } = answerPage(archive, address, headers);
  return { status, headers: sent, text: Buffer.isBuffer(body) ? body.toString() : body };
}

describe('addresses', () => {
  it.each([
    ['/v/1.0.0/index.html', '<h1>Home</h1>'],
    ['/v/1.0.0/', '<h1>Home</h1>'],
    ['/v/1.0.0/guide/', '<h1>Guide</h1>'],
    ['/v/1.0.0/guide/install.html', '<h1>Install</h1>'],
    ['/v/1.0.0/guide/install', '<h1>Install</h1>'],
    ['/v/1.0.0/guide/both', 'page'],
    ['/v/1.0.0/guide/both/', 'folder'],
    ['/v/1.0.0/a%20b/%C3%A9.txt', 'accents'],
    ['/v/1.0.0/index.html?query=ignored', '<h1>Home</h1>'],
    ['/v/llms.txt', 'agents'],
    ['/v/1.0.0/llms.txt', 'agents'],
  ])('%s is served', (target, text) => {
    expect(get(target)).toMatchObject({ status: 200, text });
  });
  it.each([
    ['/v', '/v/1.0.0/'],
    ['/v/', '/v/1.0.0/'],
    ['/v?a=b', '/v/1.0.0/?a=b'],
    ['/v/1.0.0', '/v/1.0.0/'],
    ['/v/1.0.0/guide', '/v/1.0.0/guide/'],
    ['/v/guide/', '/v/1.0.0/guide/'],
    ['/v/assets/app.js?x', '/v/1.0.0/assets/app.js?x'],
    ['/v/nowhere', '/v/1.0.0/nowhere'],
    ['/v/a%20b/%C3%A9', '/v/1.0.0/a%20b/%C3%A9'],
    ['/v//evil.example/', '/v/1.0.0//evil.example/'],
    ['/v/404.html', '/v/1.0.0/404.html'],
    // documentation-3
  ])('%s redirects to %s, not cached', (target, location) => {
    expect(get(target)).toMatchObject({ status: 302, headers: { location, 'cache-control': 'no-cache' }, text: '' });
  });
  it.each([
    '/v/1.0.0/nowhere',
    '/v/1.0.0/empty/',
    '/v/1.0.0/empty',
    '/v/1.0.0//index.html',
    '/v/1.0.0/__proto__',
    '/v/llms-full.txt',
  ])('%s is no page', (target) => {
    expect(get(target)).toMatchObject({ status: 404, text: '{"error":"No such documentation page."}' });
  });
  it.each(['2.0.0', '1.0.1', '1.0', '1.0.0-beta.1', '2.0.0+build'])('version %s is refused, both named', (version) => {
    expect(get(`/v/${version}/index.html`)).toMatchObject({
      status: 404,
      text: JSON.stringify({
        error: `This gateway serves documentation version 1.0.0, at /v/1.0.0. Version ${version} is not installed here.`,
      }),
    });
  });
});

describe('headers', () => {
  // documentation-6
  it('describe a file and forbid guessing', () => {
    expect(get('/v/1.0.0/index.html').headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '13',
      'cache-control': 'no-cache',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(get('/v/1.0.0/digits.txt').headers).not.toHaveProperty('content-security-policy');
    expect(get('/v/1.0.0/picture.svg').headers).toHaveProperty('content-security-policy');
  });
  it('leave the encoding of a page that is not in UTF-8 to the page', () => {
    const { headers } = get('/v/1.0.0/old.html');
    expect(headers['content-type']).toBe('text/html');
    expect(headers).toHaveProperty('content-security-policy');
    expect(get('/v/1.0.0/old.bin').headers['content-type']).toBe('application/octet-stream');
  });
  it('a refusal is the JSON envelope', () => {
    expect(get('/v/1.0.0/nowhere').headers).toMatchObject({
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
    });
  });
  it('a 405 names the methods that are served', () => {
    const { status, headers } = refuseMethod();
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});

describe('content that the caller already has', () => {
  it('is not sent again', () => {
    const { etag = '' } = get('/v/1.0.0/digits.txt').headers;
    const again = get('/v/1.0.0/digits.txt', { 'if-none-match': etag });
    expect(again).toMatchObject({ status: 304, text: null, headers: { etag } });
    expect(again.headers).not.toHaveProperty('content-length');
  });
  it('is sent when it is another', () => {
    expect(get('/v/1.0.0/digits.txt', { 'if-none-match': '"other"' }).status).toBe(200);
  });
});

describe('ranges', () => {
  it('are cut out', () => {
    expect(get('/v/1.0.0/digits.txt', { range: 'bytes=2-4' })).toMatchObject({
      status: 206,
      text: '234',
      headers: { 'content-range': 'bytes 2-4/10', 'content-length': '3', 'content-type': 'text/plain; charset=utf-8' },
    });
  });
  it('outside the file are refused with its length', () => {
    expect(get('/v/1.0.0/digits.txt', { range: 'bytes=10-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */10', 'content-length': '0' },
    });
    expect(get('/v/1.0.0/nothing.txt', { range: 'bytes=0-' }).status).toBe(416);
  });
  it('of an older content are answered with the whole file', () => {
    const { etag = '' } = get('/v/1.0.0/digits.txt').headers;
    const part = { range: 'bytes=2-4' };
    expect(get('/v/1.0.0/digits.txt', { ...part, 'if-range': etag }).status).toBe(206);
    expect(get('/v/1.0.0/digits.txt', { ...part, 'if-range': '"old"' })).toMatchObject({
      status: 200,
      text: '0123456789',
    });
  });
});

describe('precompressed files', () => {
  it.each([
    ['br, gzip', 'brotli', 'br'],
    ['gzip, deflate', 'gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip', 'gzip'],
    ['identity', 'plain script', undefined],
    ['br;q=0.000', 'plain script', undefined],
    [undefined, 'plain script', undefined],
  ])('Accept-Encoding: %s', (accepted, text, coding) => {
    const answer = get('/v/1.0.0/assets/app.js', { 'accept-encoding': accepted });
    expect(answer.text).toBe(text);
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(answer.headers).toMatchObject({ vary: 'accept-encoding', 'content-type': 'text/javascript; charset=utf-8' });
  });
  it('have tags of their own', () => {
    const tags = ['br', 'gzip', 'identity'].map(
      (coding) => get('/v/1.0.0/assets/app.js', { 'accept-encoding': coding }).headers['etag'],
    );
    expect(new Set(tags).size).toBe(3);
  });
  it('do not make other files vary', () => {
    expect(get('/v/1.0.0/digits.txt', { 'accept-encoding': 'br' }).headers).not.toHaveProperty('vary');
  });
});
