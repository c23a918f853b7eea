import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../testing/console.ts';

const folder = mkdtempSync(join(tmpdir(), 'console-web-'));
const FILES = {
  'index.html': '<!doctype html><p>page',
  'client.js': 'let a;',
  'client.css': 'p{}',
  'favicon.svg': '<svg/>',
};
let here: TestConsole;
beforeAll(async () => {
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, 'fonts'));
  writeFileSync(join(folder, 'fonts', 'text.woff2'), 'font');
  mkdirSync(join(folder, 'scripts'));
  writeFileSync(join(folder, 'scripts', 'editor-1a.js'), 'let b;');
  writeFileSync(join(folder, 'client.js.gz'), gzipSync(FILES['client.js']));
  writeFileSync(join(folder, 'client.js.br'), 'brotli');
  writeFileSync(join(folder, 'secret.txt'), 'not served');
  here = await startTestConsole({ assetsFolder: folder });
});
afterAll(async () => {
  await here.stop();
  rmSync(folder, { recursive: true });
});

/** A raw request, without the validation of a client. */
function raw(lines: readonly string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(here.base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`));
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}
const BASIC = `Authorization: Basic ${btoa('operator:a pass:word')}`;
const provider = () => ({
  slug: unique('provider'),
  name: '<script>alert(1)</script>',
  baseUrl: 'https://engine.example',
});

describe('a request of another site', () => {
  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1' },
    { origin: 'not an origin' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'content-type': 'text/plain' },
    // console-7
  ])('changes nothing, although the browser adds the pair by itself: %j', async (headers) => {
    const asked = provider();
    expect((await here.pair.post('/api/providers', asked, headers)).status).toBe(403);
    expect((await here.pair.get('/api/providers?limit=500')).text).not.toContain(asked.slug);
  });
  it.each(['PATCH', 'DELETE', 'POST'])('is refused for %s', async (method) => {
    const { id } = await here.pair.create('/api/providers', provider());
    const path = method === 'POST' ? '/api/providers' : `/api/providers/${id}`;
    expect((await here.pair.send(method, path, {}, { origin: 'https://evil.example' })).status).toBe(403);
  });
  it('is no request of a program or of the own page', async () => {
    const own = { origin: here.base, 'sec-fetch-site': 'same-origin' };
    expect((await here.pair.post('/api/providers', provider(), own)).status).toBe(201);
    expect((await here.pair.post('/api/providers', provider())).status).toBe(201);
  });
});

describe('every answer', () => {
  it.each(['/', '/api/providers', '/api/nothing', '/client.js', '/nothing'])(
    'carries the security headers: %s',
    async (path) => {
      for (const client of [here.pair, here.nobody]) {
        const { headers } = await client.get(path);
        const policy = headers.get('content-security-policy') ?? '';
        expect(policy).toMatch(/(^|; )script-src 'self'(;|$)/);
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).toContain("default-src 'none'");
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('x-frame-options')).toBe('DENY');
      }
    },
  );
  it('carries markup as JSON, never as a page', async () => {
    const asked = provider();
    await here.pair.create('/api/providers', asked);
    const list = await here.pair.get('/api/providers?limit=500');
    expect(list.headers.get('content-type')).toMatch(/^application\/json/);
    const refused = await here.pair.get('/api/providers?%3Cscript%3E=1');
    expect(refused.headers.get('content-type')).toMatch(/^application\/json/);
  });
  it('of the API is stored by no cache', async () => {
    for (const path of ['/api/providers', '/api/nothing']) {
      expect((await here.pair.get(path)).headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('a page that does not open', () => {
  const asPage = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  it('explains itself as a page with links, in a browser', async () => {
    const auditor = await here.holder('auditeur');
    const reply = await auditor.get('/', asPage);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(reply.text).toContain('“Open the console of the instance” here. The role Administrator carries it.');
    expect(reply.text).not.toContain('administrer-l-instance');
    expect(reply.text).toContain('<a href="/audit">Audit</a>');
    expect(reply.text).not.toContain('/project');
    expect((await auditor.get('/')).json.error).toContain('console:administrer-l-instance');
  });
  it('asks for the proof on a page, without the prompt of the browser', async () => {
    const reply = await here.nobody.get('/', asPage);
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, null]);
    expect([reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
      'text/html; charset=utf-8',
      'no-store',
    ]);
  });
  it('is 404 where there is none, and the API always answers in JSON', async () => {
    const reply = await here.pair.get('/nothing', asPage);
    expect([reply.status, reply.text.includes('<a href="/">Administration</a>')]).toEqual([404, true]);
    for (const path of ['/api/nothing', '/api/users?x=1'])
      expect((await here.pair.get(path, asPage)).headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('the files', () => {
  it.each([
    ['/client.js', 'text/javascript; charset=utf-8', 'let a;'],
    ['/client.css', 'text/css; charset=utf-8', 'p{}'],
    ['/favicon.svg', 'image/svg+xml', '<svg/>'],
    ['/fonts/text.woff2', 'font/woff2', 'font'],
  ])('%s is served without any right', async (path, type, content) => {
    const reply = await here.nobody.get(path, { 'accept-encoding': 'identity' });
    expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([200, type, content]);
  });
  it('are precompressed for clients that accept it', async () => {
    const ask = (encodings: string) =>
      raw(['GET /client.js HTTP/1.1', 'Host: x', `Accept-Encoding: ${encodings}`, 'Connection: close']);
    expect(await ask('gzip, deflate, br')).toMatch(/content-encoding: br\r\n[\s\S]*brotli$/i);
    expect(await ask('gzip')).toMatch(/content-encoding: gzip/i);
    expect(await ask('deflate')).toMatch(/let a;$/);
  });
  it('are sent again only when they changed', async () => {
    const first = await here.nobody.get('/client.css');
    const etag = String(first.headers.get('etag'));
    const second = await here.nobody.get('/client.css', { 'if-none-match': etag });
    expect([second.status, second.text]).toEqual([304, '']);
  });
  it.each(['/fonts/nothing.woff2', '/fonts/..%2findex.html', '/fonts/..%2f..%2fetc%2fpasswd'])(
    'are these and no others: %s is 404',
    async (path) => {
      expect((await here.nobody.get(path)).status).toBe(404);
    },
  );
  it.each(['/secret.txt', '/index.html', '/fonts/', '/fonts', '/client.js/', '/client.js.gz'])(
    '%s is not served',
    async (path) => {
      expect((await here.nobody.get(path)).status).toBe(401);
      expect((await here.pair.get(path)).status).toBe(404);
    },
  );
  it('of pages that are loaded later need a sign-in, and no role', async () => {
    expect((await here.nobody.get('/scripts/editor-1a.js')).status).toBe(401);
    const auditor = await here.holder('auditeur');
    for (const client of [here.pair, auditor]) {
      const { status, headers, text } = await client.get('/scripts/editor-1a.js');
      expect([status, headers.get('content-type'), text]).toEqual([200, 'text/javascript; charset=utf-8', 'let b;']);
    }
    for (const path of ['/scripts/nothing.js', '/scripts/..%2fsecret.txt', '/scripts/..%2findex.html'])
      expect((await here.pair.get(path)).status).toBe(404);
  });
  it('and the page needs a right', async () => {
    expect((await here.nobody.get('/')).status).toBe(401);
    expect((await here.pair.get('/')).text).toBe(FILES['index.html']);
    const auditor = await here.holder('auditeur');
    expect([(await auditor.get('/')).status, (await auditor.get('/audit')).status]).toEqual([403, 200]);
  });
});

describe('a proof', () => {
  const status = async (headers: Record<string, string>) =>
    (await here.withHeaders(headers).get('/api/providers')).status;
  const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` });
  it('is the pair, whole', async () => {
    expect(await status(basic('operator:a pass:word'))).toBe(200);
    for (const wrong of [
      'operator:a pass',
      'operator:',
      ':a pass:word',
      'operator',
      'OPERATOR:a pass:word',
      'operator:a pass:word ',
    ]) {
      expect(await status(basic(wrong))).toBe(401);
    }
    for (const authorization of ['Basic', 'Basic !!!', 'Digest x', 'Negotiate x'])
      expect(await status({ authorization })).toBe(401);
  });
  it('or an account key in either header, or as the password of its account', async () => {
    const { key, username } = await here.holder('administrateur-d-instance');
    expect(await status({ authorization: `Bearer ${key}` })).toBe(200);
    expect(await status({ authorization: `bearer  ${key}` })).toBe(200);
    expect(await status({ 'x-api-key': key })).toBe(200);
    expect(await status(basic(`${username}:${key}`))).toBe(200);
    expect(await status(basic(`operator:${key}`))).toBe(401);
    expect(await status({ authorization: '', 'x-api-key': key })).toBe(200);
    expect(await status({ authorization: 'Bearer', 'x-api-key': key })).toBe(200);
  });
  it('in Authorization counts where both headers carry one', async () => {
    const { key } = await here.holder('administrateur-d-instance');
    const other = `gwk_${'0123456789abcdef'.repeat(3)}`;
    expect(await status({ authorization: `Bearer ${key}`, 'x-api-key': other })).toBe(200);
    expect(await status({ authorization: `Bearer ${other}`, 'x-api-key': key })).toBe(401);
  });
  it.each(["' OR '1'='1", 'gwk_', `gwk_${'0'.repeat(48)}`, 'x'.repeat(8000)])('is not %j', async (key) => {
    expect(await status({ authorization: `Bearer ${key}` })).toBe(401);
  });
  it('that is refused learns how to sign in, and nothing about the deployment', async () => {
    const { headers, json } = await here.nobody.get('/api/providers');
    expect(headers.get('www-authenticate')).toMatch(/^Basic realm="[^"]+", charset="UTF-8"$/);
    expect(json.error).toMatch(/shared pair .* account key/);
    expect(json.error).not.toMatch(/ADMIN_/);
  });
});

describe('bytes on the wire', () => {
  it.each([
    ['two hosts', ['GET /api/providers HTTP/1.1', 'Host: a', 'Host: b', BASIC]],
    ['two proofs', ['GET /api/providers HTTP/1.1', 'Host: a', BASIC, 'Authorization: Bearer x']],
    ['two keys', ['GET /api/providers HTTP/1.1', 'Host: a', 'X-Api-Key: x', 'x-api-key: y']],
    ['two origins', ['POST /api/providers HTTP/1.1', 'Host: a', BASIC, 'Origin: http://a', 'Origin: http://b']],
    [
      'a length and chunks',
      ['POST /api/providers HTTP/1.1', 'Host: a', BASIC, 'Content-Length: 2', 'Transfer-Encoding: chunked'],
    ],
    ['a folded header', ['GET / HTTP/1.1', 'Host: a', 'X-A: b', ' c']],
    ['a space before the colon', ['GET / HTTP/1.1', 'Host : a']],
    ['no host', ['GET / HTTP/1.1']],
  ])('that are ambiguous are refused: %s', async (_, lines) => {
    expect(await raw([...lines, 'Connection: close'])).toMatch(/^HTTP\/1\.1 400 /);
  });
  it.each([
    'GET http://evil.example/api/providers HTTP/1.1',
    'GET //evil.example/api/providers HTTP/1.1',
    'GET /\\evil.example HTTP/1.1',
  ])('that name another authority reach nothing: %s', async (line) => {
    expect(await raw([line, 'Host: a', BASIC, 'Connection: close'])).toMatch(/^HTTP\/1\.1 (400|404|200) /);
  });
  it('that ask for a tunnel are refused', async () => {
    for (const lines of [
      ['CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example'],
      ['GET / HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket'],
    ]) {
      expect(await raw([...lines, BASIC, 'Connection: close'])).not.toMatch(/^HTTP\/1\.1 (101|200 Connection)/);
    }
  });
  it('of ten thousand nested levels are refused, and the console lives', async () => {
    const body = `{"slug":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    expect((await here.pair.post('/api/providers', body)).status).toBe(400);
    const organization = await here.pair.post('/api/organization', { slug: unique('o'), name: 'o' });
    expect(organization.status).toBe(201);
    const document = `{"document":${'{"tools":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
    expect((await here.pair.post('/api/organization/policy', document)).status).toBe(400);
    expect((await here.pair.get('/api/providers')).status).toBe(200);
  });
  it('without a body are an empty object, for GET with a body none at all', async () => {
    expect((await here.pair.post('/api/providers')).json.fields).toHaveProperty('slug');
    const status = await new Promise((resolve) => {
      const sent = request(`${here.base}/api/providers`, {
        method: 'GET',
        headers: { authorization: `Basic ${btoa('operator:a pass:word')}`, 'content-length': 2 },
      });
      sent.on('response', (answer) => resolve(answer.statusCode)).end('{}');
    });
    expect(status).toBe(200);
  });
});
