import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { memoryAfter } from './session-memory.ts';

/** A session that answers after it was asked twice for its state, and writes down what it is asked. */
const SESSION = `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
const [log, ...words] = process.argv.slice(2);
let busy = 0;
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const entry = [request.method, request.url, request.headers.authorization, body && JSON.parse(body).message].join(' ');
  if (request.url === '/message') busy = 2;
  else if (request.url === '/state' && busy > 0) busy -= 1;
  if (request.url !== '/state') appendFileSync(log, entry + '\\n');
  response.end(JSON.stringify({ isProcessing: busy > 0 }));
  if (request.url === '/exit') server.close(() => process.exit(0));
  if (request.url === '/exit') server.closeIdleConnections();
}).listen(0, '127.0.0.1', () => {
  appendFileSync(log, words.join(' ') + '\\n');
  console.log(JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port, token: 'secret' }));
});
`;
const folder = mkdtempSync(join(tmpdir(), 'bench-session-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.runIf(existsSync('/proc/self/status'))('the memory of a session', () => {
  it('is measured after so many messages, each answered before the next, and the session is ended', async () => {
    const [program, log] = [join(folder, 'session.mjs'), join(folder, 'log')];
    writeFileSync(program, SESSION);
    const around = { directory: folder, variables: { PATH: process.env['PATH'] ?? '' } };
    const memory = await memoryAfter(3, [process.execPath, program, log], around);
    expect(memory).toBeGreaterThan(10);
    const asked = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(asked.map((line) => line.trimEnd())).toEqual([
      'serve --port 0',
      'POST /message Bearer secret Question 0',
      'POST /message Bearer secret Question 1',
      'POST /message Bearer secret Question 2',
      'POST /exit Bearer secret',
    ]);
  });

  it('is none where the program ends, and where it says nothing of a session', async () => {
    const around = { directory: folder, variables: { PATH: process.env['PATH'] ?? '' } };
    const odd = join(folder, 'odd.mjs');
    writeFileSync(odd, "console.log('no session');");
    await expect(memoryAfter(1, [process.execPath, odd], around)).rejects.toThrow(SyntaxError);
  });
});
