import { join } from 'node:path';
import { type InitializeResponse, type LoadSessionResponse, methods } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { use } from '../testing/session-world.ts';
import { connectEditor, openEditor } from './testing/editor.ts';

const { session } = methods.agent;

describe('a connection', () => {
  it('names what the agent can do, and the version it speaks', async () => {
    const { agent } = await openEditor();
    const answer = await agent.request(methods.agent.initialize, { protocolVersion: 7 });
    expect(answer).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'gw' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [{ id: 'gateway-browser' }],
    });
  });

  it('offers to sign in in a terminal only where the editor has one for it', async () => {
    const { agent } = await openEditor();
    const offers = { protocolVersion: 1, clientCapabilities: { auth: { terminal: true } } };
    const answer = await agent.request<InitializeResponse>(methods.agent.initialize, offers);
    expect(answer.authMethods).toContainEqual(expect.objectContaining({ type: 'terminal', args: ['--login'] }));
  });

  it.each([
    ['a relative folder', { cwd: 'shop' }, 'cwd must be an absolute path, not "shop".'],
    ['a folder that is missing', { cwd: '/nowhere/at/all' }, 'The folder /nowhere/at/all does not exist'],
  ])('refuses %s', async (_, more, message) => {
    const editor = await openEditor();
    await expect(editor.open(more)).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(message) });
  });

  it('asks to sign in where the model is the gateway’s and nobody did', async () => {
    const editor = await openEditor();
    editor.world.write(
      'home/casey/.gateway/config.yaml',
      'gateway: http://127.0.0.1:1\nmodels:\n  - name: Coder\n    endpoint: demo\n',
    );
    await expect(editor.open()).rejects.toMatchObject({ code: -32000 });
    await expect(editor.agent.request(methods.agent.authenticate, { methodId: 'magic' })).rejects.toMatchObject({
      code: -32602,
    });
    const failed = editor.agent.request(methods.agent.authenticate, { methodId: 'gateway-browser' });
    await expect(failed).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('127.0.0.1:1') });
  });

  it('reports that no model is configured', async () => {
    const editor = await openEditor();
    editor.world.write('home/casey/.gateway/config.yaml', 'models: []\n');
    await expect(editor.open()).rejects.toMatchObject({ message: expect.stringContaining('No model is configured.') });
  });
});

describe('a prompt', () => {
  it('streams reasoning, answer and usage apart, and names the session', async () => {
    const editor = await openEditor();
    editor.world.engine.play([{ reasoning: 'Hm.', text: 'A longer answer.' }]);
    const id = await editor.open();
    expect(await editor.say(id, 'Explain it')).toBe('end_turn');
    const text = (kind: 'agent_message_chunk' | 'agent_thought_chunk'): string =>
      editor
        .of(kind)
        .map(({ content }) => (content.type === 'text' ? content.text : ''))
        .join('');
    expect([text('agent_thought_chunk'), text('agent_message_chunk')]).toEqual(['Hm.', 'A longer answer.']);
    expect(editor.of('agent_message_chunk').length).toBeGreaterThan(1);
    expect(editor.of('session_info_update')).toEqual([expect.objectContaining({ title: 'Explain it' })]);
    expect(editor.world.engine.requests[0]?.headers['x-gateway-session']).toBe(id);
  });

  it('takes mentioned files, embedded files and images', async () => {
    const editor = await openEditor();
    editor.world.engine.play(['Seen.']);
    const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
    const at = (name: string): string => `file://${join(editor.world.project, name)}`;
    await editor.agent.request(session.prompt, {
      sessionId: await editor.open(),
      prompt: [
        { type: 'text', text: 'Compare ' },
        { type: 'resource_link', name: 'a.ts', uri: `${at('src/a.ts')}#L3:9` },
        { type: 'text', text: ' with ' },
        { type: 'resource', resource: { uri: at('b.ts'), text: 'const b = `1`;\n' } },
        { type: 'image', mimeType: 'image/png', data: png },
      ],
    });
    expect(editor.world.engine.requests[0]?.body.messages.at(-1)?.content).toEqual([
      {
        type: 'text',
        text: 'Compare `src/a.ts` (lines 3 to 9) with `b.ts`\n\nContent of `b.ts`:\n```\nconst b = `1`;\n```',
      },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
    ]);
  });

  it.each([
    ['nothing', [{ type: 'text', text: ' ' }], 'The prompt is empty.'],
    ['audio', [{ type: 'audio', mimeType: 'audio/wav', data: '' }], 'gw takes no audio.'],
    ['what is no image', [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }], 'The image cannot be used'],
  ] as const)('refuses %s, and the session continues', async (_, prompt, message) => {
    const editor = await openEditor();
    const sessionId = await editor.open();
    const asked = editor.agent.request(session.prompt, { sessionId, prompt: [...prompt] });
    await expect(asked).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(message) });
    expect(await editor.say(sessionId, 'Go.')).toBe('end_turn');
  });

  it('ends at once when it is cancelled, and keeps what was said', async () => {
    const editor = await openEditor();
    const { promise: hold, resolve } = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    editor.world.engine.play([
      () => {
        cancelled.resolve();
        return { text: 'Half of it', hold };
      },
    ]);
    const id = await editor.open();
    const answer = editor.say(id, 'Go.');
    await cancelled.promise;
    await expect(editor.say(id, 'Another.')).rejects.toMatchObject({ code: -32600 });
    await editor.agent.notify(session.cancel, { sessionId: id });
    expect(await answer).toBe('cancelled');
    resolve();
    expect(await editor.say(id, 'Go on.')).toBe('end_turn');
  });

  it('shows the sentence of the gateway that refuses', async () => {
    const editor = await openEditor();
    editor.world.engine.play([{ status: 403, body: '{"error":{"message":"Not for you."}}' }]);
    const id = await editor.open();
    await expect(editor.say(id, 'Go.')).rejects.toMatchObject({ message: expect.stringContaining('Not for you.') });
  });

  it('is refused for a session that is not open', async () => {
    const editor = await openEditor();
    const id = await editor.open();
    await editor.agent.request(session.close, { sessionId: id });
    await expect(editor.say(id, 'Go.')).rejects.toMatchObject({ code: -32002 });
  });
});

describe('modes and models', () => {
  it('sets both, as modes and as options', async () => {
    const editor = await openEditor();
    const sessionId = await editor.open();
    await editor.agent.request(session.setMode, { sessionId, modeId: 'plan' });
    expect(editor.of('current_mode_update')).toEqual([expect.objectContaining({ currentModeId: 'plan' })]);
    editor.world.engine.play([use('Write', { file_path: 'b.txt', content: 'x' }), 'Done.']);
    await editor.say(sessionId, 'Write');
    expect(editor.asked).toEqual([]);
    expect(editor.world.engine.results()[0]).toMatch(/^Denied: /);
    const { configOptions } = await editor.agent.request(session.setConfigOption, {
      sessionId,
      configId: 'mode',
      value: 'auto',
    });
    expect(configOptions.map(({ id, currentValue }) => [id, currentValue])).toEqual([
      ['mode', 'auto'],
      ['model', 'Scripted'],
    ]);
    for (const [configId, value] of [
      ['model', 'None'],
      ['colour', 'red'],
      ['mode', 'fast'],
    ] as const)
      await expect(editor.agent.request(session.setConfigOption, { sessionId, configId, value })).rejects.toMatchObject(
        {
          code: -32602,
        },
      );
  });
});

describe('saved sessions', () => {
  it('are listed, shown again and continued in a later connection', async () => {
    const first = await openEditor();
    first.world.write('work/shop/a.txt', 'text\n');
    first.world.engine.play([use('Read', { file_path: 'a.txt' }), 'It says text.']);
    const id = await first.open();
    await first.say(id, 'Read it');
    await first.close();

    const second = await connectEditor(first.world);
    const { sessions } = await second.agent.request(session.list, { cwd: first.world.project });
    expect(sessions).toEqual([expect.objectContaining({ sessionId: id, title: 'Read it', cwd: first.world.project })]);
    expect((await second.agent.request(session.list, { cwd: '/' })).sessions).toEqual([]);
    const opened = { sessionId: id, cwd: first.world.project, mcpServers: [] };
    const loaded = await second.agent.request<LoadSessionResponse>(session.load, opened);
    expect(loaded.modes?.currentModeId).toBe('normal');
    expect(second.updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'user_message_chunk',
      'tool_call',
      'tool_call_update',
      'agent_message_chunk',
    ]);
    expect(second.of('tool_call')[0]).toMatchObject({ title: 'Read a.txt', kind: 'read' });
    second.world.engine.play(['Yes.']);
    await second.say(id, 'Sure?');
    expect(second.world.engine.requests[0]?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(2);

    const third = await connectEditor(first.world);
    await expect(third.agent.request(session.resume, opened)).rejects.toThrow(/is open already, .*gw --fork/);
    await second.close();
    await third.agent.request(session.resume, opened);
    expect(third.updates).toEqual([]);
    const unknown = { ...opened, sessionId: '0198c0de-0000-7000-8000-000000000000' };
    await expect(third.agent.request(session.load, unknown)).rejects.toMatchObject({ code: -32002 });
  });
});
