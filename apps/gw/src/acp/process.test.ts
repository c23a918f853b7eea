import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { askProgram } from '../testing/ask-program.ts';
import { openSessionWorld, type SessionWorld, use } from '../testing/session-world.ts';

const PROGRAM = fileURLToPath(new URL('../start.mjs', import.meta.url));

let world: SessionWorld;
beforeEach(async () => {
  world = await openSessionWorld();
});
afterEach(() => world.end());

it('writes the protocol alone to standard output, and closes its sessions when the editor leaves', async () => {
  world.engine.play(['Hello.']);
  const child = spawn(process.execPath, [PROGRAM, 'acp'], {
    cwd: world.project,
    env: { PATH: process.env['PATH'] ?? '', HOME: world.home },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const seen: { readonly id?: number; readonly method?: string; readonly result?: Record<string, unknown> }[] = [];
  const ask = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('The program ended.');
      const message = JSON.parse(value) as (typeof seen)[number];
      seen.push(message);
      if (message.id === id) return message.result;
    }
  };
  await ask(1, 'initialize', { protocolVersion: 1 });
  const opened = await ask(2, 'session/new', { cwd: world.project, mcpServers: [] });
  const prompt = [{ type: 'text', text: 'Say hello' }];
  expect(await ask(3, 'session/prompt', { sessionId: opened?.['sessionId'], prompt })).toEqual({
    stopReason: 'end_turn',
  });
  expect(seen.filter(({ method }) => method === 'session/update').length).toBeGreaterThan(0);
  child.stdin.end();
  expect(await ended).toBe(0);
  const [record = ''] = readdirSync(join(world.home, '.gateway/record'));
  expect(readFileSync(join(world.home, '.gateway/record', record), 'utf8')).toContain('"kind":"session-ended"');
}, 30_000);

/** An independent client of the protocol, with an SDK of an earlier major version. */
const ACPX = 'acpx@0.19.1';
const CACHE = fileURLToPath(new URL('../../../../.cache/acpx', import.meta.url));

/** Installs the client on first use: it brings forty packages that nothing else needs. */
async function installAcpx(): Promise<string> {
  const program = join(CACHE, 'node_modules/acpx/dist/cli.js');
  if (existsSync(program)) return program;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'package.json'), '{"private":true}');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', CACHE, ACPX];
  const { code, err } = await askProgram('npm', words, { cwd: CACHE });
  if (code !== 0) throw new Error(`${ACPX} could not be installed. Check the connection to the npm registry. ${err}`);
  return program;
}

it('serves an independent client: files, a terminal, permissions', async () => {
  const client = await installAcpx();
  world.engine.play([
    use('Write', { file_path: 'hello.txt', content: 'hello\n' }),
    use('Bash', { command: 'cat hello.txt' }),
    'It is written.',
  ]);
  const words = ['--agent', `"${process.execPath}" "${PROGRAM}" acp`, '--approve-all', 'exec', 'Write a file'];
  const ran = await askProgram(process.execPath, [client, ...words], {
    cwd: world.project,
    env: { PATH: process.env['PATH'] ?? '', HOME: world.home },
  });
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.out).toMatch(/fs\/write_text_file[\s\S]*terminal\/create[\s\S]*It is written\.[\s\S]*end_turn/);
  expect(readFileSync(join(world.project, 'hello.txt'), 'utf8')).toBe('hello\n');
  expect(world.engine.results()).toEqual([expect.stringContaining('was created'), 'hello\n[exit code 0]']);
}, 120_000);
