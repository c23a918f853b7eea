import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolContext } from '../agent/types/index.ts';
import type { Connection } from './connect.ts';
import { serverTool, serverTools } from './servers.ts';

/** A tool of a server whose answer is given. */
function toolWith(answer: unknown, configuration: object = {}) {
  const calls: unknown[] = [];
  let closed = 0;
  const client = {
    callTool: async (call: unknown) => {
      calls.push(call);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    close: async () => {
      closed += 1;
    },
  };
  const connection = { client, tools: [] } as unknown as Connection;
  const tool = serverTool(
    {
      configuration: { name: 's', ofProject: false, ...configuration },
      state: 'running',
      open: async () => connection,
    },
    { name: 'do', inputSchema: { type: 'object' } },
  );
  const context = { signal: new AbortController().signal, warn: () => undefined } as unknown as ToolContext;
  return { tool, run: (args: unknown = {}) => tool.run(args, context), calls, closed: () => closed };
}

describe('the answer of a tool', () => {
  it.each([
    [
      'texts',
      {
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
      'one\ntwo',
    ],
    ['a resource', { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'its text' } }] }, 'its text'],
    [
      'bytes',
      { content: [{ type: 'resource', resource: { uri: 'file:///a', blob: 'AA==' } }] },
      '[resource: not shown]',
    ],
    ['a link', { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] }, 'file:///a'],
    ['an image', { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] }, '[image]'],
    ['structure alone', { content: [], structuredContent: { a: 1 } }, '{"a":1}'],
    ['nothing', { content: [] }, '(no content)'],
  ])('is shown as text: %s', async (_, answer, content) => {
    expect(await toolWith(answer).run()).toEqual({ outcome: 'succeeded', content });
  });

  it('that says that it failed is a failure', async () => {
    expect(await toolWith({ isError: true, content: [{ type: 'text', text: 'no' }] }).run()).toEqual({
      outcome: 'failed',
      content: 'no',
    });
  });

  it('is cut where it is long, never within a character', async () => {
    const { content } = await toolWith({ content: [{ type: 'text', text: `x${'🔑'.repeat(40_000)}` }] }).run();
    expect(content).toMatch(/\n\[20001 more characters were left out: ask the server for less\]$/);
    expect(content.isWellFormed()).toBe(true);
  });

  it('that does not come names the server, and an address is connected to again', async () => {
    const atAddress = toolWith(new Error('gone'), { url: 'http://127.0.0.1:1/mcp' });
    await expect(atAddress.run()).rejects.toThrow(/^The MCP server s did not answer the call: gone\./);
    expect(atAddress.closed()).toBe(1);
    const atProcess = toolWith(new Error('gone'), { command: 'x' });
    await expect(atProcess.run()).rejects.toThrow('gone');
    expect(atProcess.closed()).toBe(0);
  });
});

describe('a call', () => {
  it('goes to the tool by its own name, with its arguments', async () => {
    const { run, calls } = toolWith({ content: [] });
    await run({ a: [1] });
    expect(calls).toEqual([{ name: 'do', arguments: { a: [1] } }]);
  });

  it.each([[[]], ['x'], [null], [1]])('needs an object: not %j', (raw) => {
    expect(toolWith({}).tool.parse(raw)).toMatchObject({
      ok: false,
      message: expect.stringContaining('one JSON object'),
    });
  });

  it.each([
    [{ url: 'https://a.example:8443/mcp' }, { kind: 'host', value: 'a.example:8443' }],
    [{ command: 'server' }, { kind: 'command', value: 'mcp__s__do' }],
  ])('is judged by the host of an address, else by its name: %j', (configuration, target) => {
    expect(toolWith({}, configuration).tool.target({})).toEqual(target);
  });
});

describe('the names of the tools of one server', () => {
  const namesOf = (...names: readonly string[]): readonly string[] =>
    serverTools(
      {
        configuration: { name: 's', ofProject: false },
        state: 'running',
        open: async () => Promise.reject(new Error('no')),
      },
      names.map((name) => ({ name, inputSchema: { type: 'object' as const } })),
    ).map(({ name }) => name);

  it('differ where the server names its tools alike but for characters that models do not take', () => {
    const [one, other] = namesOf('read file', 'read.file');
    expect(one).toMatch(/^mcp__s__read_file_[0-9a-f]{8}$/);
    expect(other).toMatch(/^mcp__s__read_file_[0-9a-f]{8}$/);
    expect(one).not.toBe(other);
    expect(namesOf('read.file', 'read file')).toEqual([other, one]);
    expect(namesOf('read file')).toEqual(['mcp__s__read_file']);
  });

  it('are always different and such as models take', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.stringMatching(/^[a. _é-]{1,3}$/),
      fc.stringMatching(/^a{50,70}$/),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
        const found = namesOf(...names);
        expect(new Set(found).size).toBe(names.length);
        for (const one of found) expect(one).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });
});
