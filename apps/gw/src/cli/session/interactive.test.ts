import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { interactiveSuite } from '../../testing/interactive-suite.ts';
import type { EngineRequest } from '../../testing/scripted-engine.ts';
import { use } from '../../testing/session-world.ts';

const { inProject, open, userMessages, world } = interactiveSuite();
const write = (name: string, content: string) => use('Write', { file_path: name, content });

describe('approvals', () => {
  it('y runs the call once, a also the next time, n ends the turn', async () => {
    const at = await open([
      write('a.txt', '1'),
      write('a.txt', '2'),
      write('a.txt', '3'),
      'First.',
      write('b.txt', '1'),
    ]);
    await at.send('change a.txt');
    await at.shows(/a\.txt[\s\S]*Allow Write as shown above\?/);
    await at.press('y');
    await at.shows(/\+ *2[\s\S]*Allow Write as shown above\?/);
    await at.press('a');
    await at.shows(/First\./);
    expect(readFileSync(inProject('a.txt'), 'utf8')).toBe('3');
    await at.send('and b.txt');
    await at.shows(/b\.txt[\s\S]*Allow Write as shown above\?/);
    await at.press('n', '\r');
    await at.shows(/denied/i);
    expect(existsSync(inProject('b.txt'))).toBe(false);
  });

  it('p approves for every session of the project; /permissions lists and forgets it', async () => {
    const first = await open([use('Bash', { command: 'echo done > out.txt' }), 'One.']);
    await first.send('run it');
    await first.shows(/Allow Bash/);
    await first.press('p');
    await first.shows(/One\./);
    await first.leave();
    const second = await open([
      use('Bash', { command: 'echo done > out.txt' }),
      'Two.',
      use('Bash', { command: 'echo done > out.txt' }),
    ]);
    await second.send('again');
    await second.shows(/Two\./);
    await second.send('/permissions');
    await second.shows(/Always approved in this project[\s\S]*Bash {2}echo done > out\.txt/);
    await second.send('/permissions forget');
    await second.shows(/Forgotten: 1 approval of this project/);
    await second.send('and again');
    await second.shows(/Allow Bash/);
    expect(world().engine.requests).toHaveLength(3);
  });
});

describe('the conversation', () => {
  it('/clear begins a new conversation, /sessions goes back to the old one', async () => {
    const at = await open(['First answer.', 'Second answer.', 'Third answer.']);
    await at.send('FIRST QUESTION');
    await at.shows(/First answer\./);
    await at.send('/clear');
    await at.send('SECOND QUESTION');
    await at.shows(/Second answer\./);
    expect(userMessages()).toEqual(['SECOND QUESTION']);
    await at.send('/sessions');
    await at.shows(/FIRST QUESTION \(1 turn\)/);
    await at.press('\r');
    await at.shows(/FIRST QUESTION\n\nFirst answer\.[\s\S]*FIRST QUESTION\n\nFirst answer\./);
    await at.send('third question');
    await at.shows(/Third answer\./);
    expect(userMessages()).toEqual(['FIRST QUESTION', 'third question']);
  });

  it('/fork continues with a copy; the old session does not change', async () => {
    const at = await open(['First answer.', 'Second answer.']);
    await at.send('one');
    await at.shows(/First answer\./);
    const before = world().engine.requests[0]?.headers['x-gateway-session'];
    const file = join(world().home, '.gateway', 'sessions', `${String(before)}.json`);
    await at.send('/fork');
    await at.shows(/This is a copy; \S+ stays as it is\./);
    const text = readFileSync(file, 'utf8');
    await at.send('two');
    await at.shows(/Second answer\./);
    expect(userMessages()).toEqual(['one', 'two']);
    expect(world().engine.requests.at(-1)?.headers['x-gateway-session']).not.toBe(before);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('/compact keeps the task and the latest turns', async () => {
    const model = `models:\n  - name: Small\n    endpoint: ${world().engine.url}/demo/v1\n    contextLength: 4000\n`;
    world().write('home/casey/.gateway/config.yaml', model);
    const answers = Array.from({ length: 6 }, (_, at) => `Answer ${at}.`);
    const at = await open([...answers, 'SUMMARY OF IT ALL', 'Last.']);
    for (const [index, answer] of answers.entries()) {
      await at.send(`${index === 0 ? 'THE TASK' : `question ${index}`} ${'x '.repeat(700)}`);
      await at.shows(new RegExp(answer.replace('.', '\\.')));
    }
    await at.send('/compact');
    await at.shows(/became a summary/);
    await at.send('the last question');
    await at.shows(/Last\./);
    const said = JSON.stringify(world().engine.requests.at(-1)?.body.messages);
    expect(said).toContain('THE TASK');
    expect(said).toContain('the last question');
  });

  it('a session that another process has open is not resumed; the message names the way to a copy', async () => {
    const at = await open(['First.', 'Copy.']);
    await at.send('one');
    await at.shows(/First\./);
    const id = String(world().engine.requests[0]?.headers['x-gateway-session']);
    const { code, err } = await world().gw(['-p', '--resume', 'two']);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(new RegExp(`The session ${id} is open already, in process \\d+ on .*gw --fork ${id}`)),
    ]);
    expect((await world().gw(['-p', '--fork', id, 'two'])).out).toBe('Copy.\n');
    await at.leave();
    world().engine.play(['Resumed.']);
    expect((await world().gw(['-p', '--resume', '--allow', 'List', 'three'])).code).toBe(0);
  });
});

describe('what is configured', () => {
  it('/config, /info and /jobs show it', async () => {
    world().write(
      'home/casey/.gateway/config.yaml',
      `models:\n  - name: Priced\n    endpoint: ${world().engine.url}/demo/v1\n    contextLength: 8000\n    prices: { input: 100, output: 1000 }\nrules: [Be kind.]\n`,
    );
    const at = await open([use('Bash', { command: 'sleep 1000', background: true }), 'Done here.'], { mode: 'auto' });
    await at.send('start it');
    await at.shows(/Done here\./);
    // Two calls of 10 input and 5 output tokens.
    expect(at.screen()).toContain('€0.0120');
    await at.send('/config');
    await at.shows(/model {10}Priced \(Priced at http[\s\S]*rules {10}1/);
    await at.send('/info');
    await at.shows(/session {3}[0-9a-f-]{36}[\s\S]*tokens {4}20 in, 10 out, 2 calls\ncost {6}€0\.0120, by the prices/);
    await at.send('/jobs');
    await at.shows(/1 {2}running {2}sleep 1000/);
  });

  it('/init asks the model for AGENTS.md', async () => {
    const at = await open([write('AGENTS.md', '# The project\n'), 'Written.'], { mode: 'auto' });
    await at.send('/init');
    await at.shows(/Written\./);
    expect(readFileSync(inProject('AGENTS.md'), 'utf8')).toBe('# The project\n');
    expect(String(userMessages()[0])).toContain('write AGENTS.md at its root');
  });

  it("a project's own MCP server is asked for, marked in /mcp, and its tools ask", async () => {
    world().write('server.mjs', SERVER);
    world().write(
      'work/shop/.gateway/config.yaml',
      `mcpServers:\n  - name: own\n    command: ${process.execPath}\n    args: ["${join(world().root, 'server.mjs')}"]\n`,
    );
    const at = await open([use('mcp__own__say', { text: 'hi' }), 'Said.']);
    await at.shows(/this project adds the MCP\s+server\s+own[\s\S]*Runs[\s\S]*server\.mjs[\s\S]*› 1\. No/);
    await at.press('2'); // too soon after the question appeared
    await pause(600);
    await at.press('2');
    await at.shows(/Yes, and keep the answer/);
    await at.shows(/^gw \d/m);
    await at.send('use it');
    await at.shows(/Allow mcp__own__say/);
    await at.press('y');
    await at.shows(/Said\./);
    expect(world().engine.results()).toEqual(['it says hi']);
    await at.send('/mcp');
    await at.shows(/own {2}running {2}\(named by the project\)[\s\S]*mcp__own__say/);
  });

  it('an MCP server that fails is named and, once it can start, serves the next message', async () => {
    const ready = join(world().root, 'ready');
    world().write(
      'server.mjs',
      `import fs from 'node:fs';\nif (!fs.existsSync(${JSON.stringify(ready)})) { console.error('not ready yet'); process.exit(3); }\n${SERVER}`,
    );
    const config = readFileSync(join(world().home, '.gateway', 'config.yaml'), 'utf8');
    world().write(
      'home/casey/.gateway/config.yaml',
      `${config}mcpServers:\n  - name: late\n    command: ${process.execPath}\n    args: ["${join(world().root, 'server.mjs')}"]\n`,
    );
    // A turn waits a moment only for a server that is tried again: it may take several messages.
    let without = 0;
    const answer = ({ body }: EngineRequest) => {
      if (body.messages.at(-1)?.role === 'tool') return 'With it.';
      if (body.tools?.some((tool) => tool.function.name === 'mcp__late__say') === true)
        return use('mcp__late__say', { text: 'hi' });
      without += 1;
      return `Without it: ${without}.`;
    };
    const at = await open(
      Array.from({ length: 99 }, () => answer),
      { mode: 'auto' },
    );
    await at.send('one');
    await at.shows(/The MCP server late failed and its tools are missing[\s\S]*not ready yet[\s\S]*Without it: 1\./);
    writeFileSync(ready, '');
    while (!at.all().includes('With it.')) {
      await at.send('again');
      await at.shows(new RegExp(`With it\\.|Without it: ${without + 1}\\.`));
    }
    expect(world().engine.results()).toEqual(['it says hi']);
    await at.send('last'); // If it started after the turn had begun, the next message says so.
    await at.shows(/The MCP server late runs now\./);
    rmSync(ready);
  });
});

const SERVER = `
import readline from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
  else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'say', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }] } });
  else if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: 'it says ' + params.arguments.text }] } });
  else say({ id, error: { code: -32601, message: 'no such method' } });
});
`;
