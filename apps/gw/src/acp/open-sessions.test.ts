import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { use } from '../testing/session-world.ts';
import { connectEditor, type Editor, openEditor } from './testing/editor.ts';

const { session } = methods.agent;

/** Text of the thoughts that the editor was sent. */
const thoughts = (editor: Editor): string =>
  editor
    .of('agent_thought_chunk')
    .map(({ content }) => (content.type === 'text' ? content.text : ''))
    .join('');

describe('the list of sessions', () => {
  it('comes in pages of fifty, each session once', async () => {
    const editor = await openEditor();
    for (let number = 0; number < 120; number += 1) {
      const id = `0198c0de-0000-7000-8000-${String(number).padStart(12, '0')}`;
      const at = new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString();
      const state = {
        version: 1,
        id,
        parent: null,
        title: `Title ${number}`,
        model: 'M',
        startedAt: at,
        updatedAt: at,
      };
      const usage = { inputTokens: 0, outputTokens: 0, calls: 0 };
      const rest = {
        directory: '/x',
        project: '/x',
        turns: 1,
        messages: [],
        usage,
        contextTokens: 0,
        cost: null,
        checklist: [],
      };
      editor.world.write(`home/casey/.gateway/sessions/${id}.json`, JSON.stringify({ ...state, ...rest }));
    }
    const titles: (string | null | undefined)[] = [];
    const sizes: number[] = [];
    let cursor: string | null | undefined = null;
    do {
      const page: { sessions: readonly { title?: string | null }[]; nextCursor?: string | null } =
        await editor.agent.request(session.list, { cursor });
      sizes.push(page.sessions.length);
      titles.push(...page.sessions.map(({ title }) => title));
      cursor = page.nextCursor;
    } while (cursor != null);
    expect(sizes).toEqual([50, 50, 20]);
    expect([titles[0], titles.at(-1), new Set(titles).size]).toEqual(['Title 119', 'Title 0', 120]);
    for (const wrong of ['x', '-1', '1e3', ''])
      await expect(editor.agent.request(session.list, { cursor: wrong })).rejects.toMatchObject({ code: -32602 });
  });

  it('of a folder is found by another name of it, too', async () => {
    const editor = await openEditor();
    editor.world.engine.play(['Hello.']);
    const id = await editor.open();
    await editor.say(id, 'Hi');
    const other = join(editor.world.root, 'link');
    symlinkSync(editor.world.project, other);
    const { sessions } = await editor.agent.request(session.list, { cwd: other });
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([id]);
  });
});

describe('sessions side by side', () => {
  it('each work in their own folder, and a cancelled one leaves the other alone', async () => {
    const editor = await openEditor();
    const folder = join(editor.world.root, 'other');
    mkdirSync(folder);
    editor.world.write('other/a.txt', 'of the other\n');
    editor.world.write('work/shop/a.txt', 'of the shop\n');
    const [one, two] = [await editor.open(), await editor.open({ cwd: folder })];
    editor.world.engine.play([use('Read', { file_path: 'a.txt' }), 'Done.']);
    await editor.say(two, 'Read');
    expect(editor.world.engine.results()).toEqual(['1\tof the other']);
    await editor.agent.notify(session.cancel, { sessionId: one });
    await editor.agent.request(session.close, { sessionId: one });
    editor.world.engine.play(['Still here.']);
    expect(await editor.say(two, 'And now?')).toBe('end_turn');
    await expect(editor.say(one, 'And you?')).rejects.toMatchObject({ code: -32002 });
  });

  it('a session that is loaded again is closed and shown again', async () => {
    const editor = await openEditor();
    editor.world.engine.play(['One.', 'Two.']);
    const id = await editor.open();
    await editor.say(id, 'First');
    editor.updates.length = 0;
    await editor.agent.request(session.load, { sessionId: id, cwd: editor.world.project, mcpServers: [] });
    expect(editor.updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'user_message_chunk',
      'agent_message_chunk',
    ]);
    expect(await editor.say(id, 'Second')).toBe('end_turn');
    const said = editor.world.engine.requests.at(-1)?.body.messages.filter(({ role }) => role === 'user');
    expect(said?.map(({ content }) => content)).toEqual(['First', 'Second']);
  });
});

describe('servers of the editor', () => {
  const SERVER = `
import readline from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
  else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'say', inputSchema: { type: 'object', properties: {} } }] } });
  else say({ id, result: { content: [{ type: 'text', text: process.env.WORD + ' ' + process.argv[2] }] } });
});
`;

  it('are started with their arguments and variables, and are not asked for: the user chose them', async () => {
    const editor = await openEditor();
    const file = editor.world.write('server.mjs', SERVER);
    editor.choices.push('allow_once');
    editor.world.engine.play([use('mcp__own__say', {}), 'Done.']);
    const server = {
      name: 'own',
      command: process.execPath,
      args: [file, 'there'],
      env: [{ name: 'WORD', value: 'hello' }],
    };
    await editor.say(await editor.open({ mcpServers: [server] }), 'Use it');
    expect(editor.asked.map(({ toolCall }) => toolCall.title)).toEqual([expect.stringContaining('mcp__own__say')]);
    expect(editor.world.engine.results()).toEqual(['hello there']);
  });

  it.each(['http', 'sse'] as const)('that cannot be reached (%s) are named, and the turn goes on', async (type) => {
    const editor = await openEditor();
    editor.world.engine.play(['Without it.']);
    const server = { type, name: 'far', url: 'http://127.0.0.1:1/mcp', headers: [{ name: 'x-key', value: '1' }] };
    expect(await editor.say(await editor.open({ mcpServers: [server] }), 'Use it')).toBe('end_turn');
    expect(thoughts(editor)).toMatch(/^gw: The MCP server far \(http:.*\) failed and its tools are missing: /);
  });

  it('that fail are a notice of its own in an editor that has notices', async () => {
    const editor = await openEditor({ session: { notices: {} } });
    editor.world.engine.play(['Without it.']);
    const server = { name: 'gone', command: join(editor.world.root, 'missing'), args: [], env: [] };
    await editor.say(await editor.open({ mcpServers: [server] }), 'Use it');
    expect(thoughts(editor)).toBe('');
    expect(editor.updates).toContainEqual(
      expect.objectContaining({
        sessionUpdate: 'notice',
        severity: 'warning',
        title: expect.stringContaining('The MCP server gone failed'),
      }),
    );
  });
});

describe('the gateway', () => {
  it('that takes the key no more asks the editor to sign in', async () => {
    const editor = await openEditor();
    editor.world.engine.play([{ status: 401, body: '{"error":{"message":"The key was revoked."}}' }]);
    const answer = editor.say(await editor.open(), 'Go.');
    await expect(answer).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('The key was revoked.'),
    });
  });

  it('is signed out of on demand, also where nobody is signed in', async () => {
    const editor = await openEditor();
    editor.world.write('home/casey/.gateway/config.yaml', 'gateway: https://gateway.example\n');
    const key = { kind: 'key', key: `gwk_${'0'.repeat(48)}` };
    const gateways = { 'https://gateway.example': key, 'https://other.example': key };
    const file = editor.world.write('home/casey/.gateway/credentials.json', JSON.stringify({ version: 1, gateways }));
    for (let time = 0; time < 2; time += 1) await editor.agent.request(methods.agent.logout, {});
    const later = await connectEditor(editor.world);
    await later.agent.request(methods.agent.logout, {});
    expect(Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { gateways: object }).gateways)).toEqual([
      'https://other.example',
    ]);
  });

  it('that none is configured cannot be signed out of', async () => {
    const editor = await openEditor();
    await expect(editor.agent.request(methods.agent.logout, {})).rejects.toMatchObject({
      message: expect.stringContaining('No gateway is configured'),
    });
  });
});
