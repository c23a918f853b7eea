import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeNpm } from '../testing/fake-npm.ts';

/** Installs a program that answers with its request's headers, as npm would install Portkey. */
const INSTALL = `
const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const folder = process.argv[process.argv.indexOf('--prefix') + 1];
const program = path.join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
mkdirSync(path.dirname(program), { recursive: true });
writeFileSync(program, \`
  const port = Number(process.argv[2].replace('--port=', ''));
  require('node:http').createServer((request, response) => response.end(JSON.stringify(request.headers))).listen(port, '127.0.0.1');
\`);
`;
const SCRIPT = `
const { portkey } = await import(${JSON.stringify(new URL('portkey.ts', import.meta.url).href)});
try {
  const peer = await portkey(new URL('http://127.0.0.1:4711'));
  const { port, path, headers } = peer.target;
  const answer = await fetch('http://127.0.0.1:' + port + path, { method: 'POST', headers });
  console.log(JSON.stringify({ name: peer.name, pid: peer.pid, path, seen: await answer.json() }));
  await peer.stop();
} catch (error) {
  console.log(JSON.stringify({ fault: error.constructor.name, message: error.message }));
}
`;

let npm: ReturnType<typeof fakeNpm>;
afterEach(() => npm.remove());
async function run(): Promise<Readonly<Record<string, unknown>>> {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    cwd: npm.work,
    env: { ...process.env, PATH: npm.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const said = child.stdout === null ? '' : await text(child.stdout);
  await ended;
  return JSON.parse(said) as Readonly<Record<string, unknown>>;
}

describe('Portkey', () => {
  it('is installed on first use, and passes calls to the engine of the benchmark', async () => {
    npm = fakeNpm(INSTALL);
    expect(await run()).toMatchObject({
      name: 'Portkey',
      path: '/v1/chat/completions',
      seen: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': 'http://127.0.0.1:4711/v1' },
    });
  });

  it('is left out where it cannot be installed', async () => {
    npm = fakeNpm('process.stderr.write("npm error 404 Not Found"); process.exit(1);');
    const { fault, message } = await run();
    expect(fault).toBe('PeerAbsent');
    expect(message).toContain('404 Not Found');
  });
});
