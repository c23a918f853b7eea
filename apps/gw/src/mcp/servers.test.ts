import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../tools/testing/project.ts';
import { createServers, toolName } from './servers.ts';

/** A hand-written server: its output does not come from the library under test. */
const SERVER = `
import readline from 'node:readline';
import fs from 'node:fs';
fs.writeFileSync('pid', String(process.pid));
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
if (process.argv[2] === 'exits') { console.error('it gives up'); process.exit(7); }
if (process.argv[2] === 'noise') console.log('starting …');
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools: [{ name: 'look', inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, annotations: { readOnlyHint: true } }, { name: 'do it', inputSchema: { type: 'object' } }] }
    : method === 'tools/call' && params.name === 'look' ? { content: [{ type: 'text', text: params.arguments.text + ' ' + process.env.MARK + ' ' + process.env.GATEWAY_KEY }] }
    : method === 'tools/call' && process.argv[2] === 'dies' ? (fs.rmSync('pid'), process.exit(3))
    : method === 'tools/call' ? { isError: true, content: [{ type: 'text', text: 'x'.repeat(70000) }] } : undefined;
  say(result === undefined ? { id, error: { code: -32601, message: 'no such method' } } : { id, result });
});
if (process.argv[2] === 'needs-file' && !fs.existsSync('ready')) { console.error('no file ready'); process.exit(7); }
if (process.argv[2] === 'stays') setInterval(() => {}, 1000);
`;

async function world() {
  const t = await testProject();
  const file = join(t.project, 'server.mjs');
  await writeFile(file, SERVER);
  const server = (name: string, how = '', more = {}) => ({
    name,
    command: process.execPath,
    args: [file, how],
    ofProject: false,
    ...more,
  });
  return { ...t, server };
}

describe('MCP servers', () => {
  it('offer their tools, which get no variable but those that are named', async () => {
    process.env.GATEWAY_KEY = 'a-key';
    const t = await world();
    const servers = createServers(() => [t.server('one', 'noise', { env: { MARK: 'marked' } })], t.project);
    expect(await servers.start()).toEqual([]);
    const [look, act] = servers.tools();
    expect([look?.name, look?.effect, act?.name, act?.effect]).toEqual([
      'mcp__one__look',
      'network',
      'mcp__one__do_it',
      'execute',
    ]);
    if (look === undefined || act === undefined) throw new Error('no tools');
    expect(await t.run(look, { text: 'WORDS' })).toEqual({ outcome: 'succeeded', content: 'WORDS marked undefined' });
    expect(await t.run(act, {})).toEqual({
      outcome: 'failed',
      content: expect.stringMatching(/\[10000 more characters were left out/),
    });
    expect((await t.run(look, [])).content).toMatch(/one JSON object/);
    await servers.close();
    delete process.env.GATEWAY_KEY;
  });

  it('that fail are named, once, and the others serve', async () => {
    const t = await world();
    const servers = createServers(
      () => [
        t.server('dead', 'exits'),
        t.server('good'),
        { name: 'absent', command: '/nowhere/server', ofProject: false },
        { name: 'away', url: 'http://127.0.0.1:9/mcp', ofProject: false },
      ],
      t.project,
    );
    const lines = await servers.start();
    expect(lines.toSorted()).toEqual([
      expect.stringMatching(/absent failed .*: there is no program \/nowhere\/server\. Install it/),
      expect.stringMatching(/away \(http:\/\/127\.0\.0\.1:9\/mcp\) failed/),
      expect.stringMatching(/dead failed.*it gives up/s),
    ]);
    expect(await servers.start()).toEqual([]);
    expect(servers.tools()).toHaveLength(2);
    await servers.close();
  });

  it('that end are started again by the next call of their tools', async () => {
    const t = await world();
    const servers = createServers(() => [t.server('one', 'dies')], t.project);
    await servers.start();
    const [look, dies] = servers.tools();
    if (look === undefined || dies === undefined) throw new Error('no tools');
    const first = await readFile(t.at('pid'), 'utf8');
    await expect(t.run(dies, {})).rejects.toThrow(
      /The MCP server one did not answer the call: .*The next call starts it again\./,
    );
    expect(servers.list()).toMatchObject([
      { name: 'one', state: 'ended', tools: ['mcp__one__look', 'mcp__one__do_it'] },
    ]);
    expect((await t.run(look, { text: 'AGAIN' })).content).toMatch(/^AGAIN/);
    expect(t.warnings).toEqual(['The MCP server one had ended and was started again.']);
    expect(await readFile(t.at('pid'), 'utf8')).not.toBe(first);
    expect(servers.list()).toMatchObject([{ state: 'running' }]);
    await servers.close();
  });

  it('that failed are retried before the next turn, and reported when they run', async () => {
    const t = await world();
    const servers = createServers(() => [t.server('late', 'needs-file')], t.project);
    expect(await servers.start()).toEqual([expect.stringMatching(/late failed .* no file ready/)]);
    expect(await servers.start()).toEqual([]);
    await t.write('ready', '');
    expect(await servers.start()).toEqual(['The MCP server late runs now.']);
    expect(servers.tools()).toHaveLength(2);
    await servers.close();
  });

  it('are those that are configured at the first start, which shows them before', async () => {
    const t = await world();
    const configured = [t.server('one')];
    const servers = createServers(() => configured, t.project);
    expect(servers.list()).toMatchObject([{ name: 'one', state: 'not started' }]);
    configured.push(t.server('two', '', { ofProject: true }));
    expect(await servers.start()).toEqual([]);
    expect(servers.list()).toMatchObject([
      { name: 'one', ofProject: false, state: 'running' },
      { name: 'two', ofProject: true, state: 'running' },
    ]);
    await servers.close();
  });

  it('end with the session, also one that outlives its input', async () => {
    const t = await world();
    const servers = createServers(() => [t.server('one', 'stays')], t.project);
    await servers.start();
    const pid = Number(await readFile(t.at('pid'), 'utf8'));
    expect(process.kill(pid, 0)).toBe(true);
    await servers.close();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

it('names are those that models take', () => {
  expect(toolName('a.b', 'do it')).toBe('mcp__a_b__do_it');
  expect(toolName('s', 'x'.repeat(100))).toMatch(/^mcp__s__x{47}_[0-9a-f]{8}$/);
  expect(toolName('s', 'x'.repeat(56))).toBe(`mcp__s__${'x'.repeat(56)}`);
});

it('names of tools that differ only at their ends are different, and the same at each start', () => {
  const [one, other] = ['read', 'write'].map((end) =>
    toolName('server', `${'a_long_name_of_a_tool_'.repeat(4)}${end}`),
  );
  expect(one).not.toBe(other);
  expect(toolName('server', `${'a_long_name_of_a_tool_'.repeat(4)}read`)).toBe(one);
});
