import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../testing/failure.ts';
import { processServer } from './testing/process-server.ts';

const ok = (content: string) => ({ outcome: 'succeeded', content });

describe('a server that is a process', () => {
  it('answers calls in any order, and each call gets its own answer', async () => {
    const server = await processServer(`
      const waiting = [];
      on['tools/call'] = ({ arguments: { at } }) => new Promise((resolve) => {
        waiting.push(() => resolve(text('answer ' + at)));
        if (waiting.length === 3) for (const answer of waiting.reverse()) answer();
      });`);
    const answers = await Promise.all([1, 2, 3].map((at) => server.call({ at })));
    expect(answers).toEqual([ok('answer 1'), ok('answer 2'), ok('answer 3')]);
  });

  it('is started once, however many calls wait for it', async () => {
    const server = await processServer();
    const [one, other] = await Promise.all([server.managed.open(), server.managed.open()]);
    expect(one).toBe(other);
    expect(server.pids()).toHaveLength(1);
  });

  it('may write lines that are no messages, and answers to questions that nobody asked', async () => {
    const server = await processServer(`
      console.log('listening …\\n\\n{"half":');
      console.log(JSON.stringify([1, null, 'x']));
      say({ id: 99, result: {} });
      say({ id: 'x', error: { code: 1, message: 'no' } });
      say({ method: 'notifications/unknown', params: {} });`);
    expect(await server.call({ a: 1 })).toEqual(ok('{"a":1}'));
  });

  it('may write much on standard error', async () => {
    const server = await processServer(`fs.writeSync(2, 'x'.repeat(2 ** 22));`);
    expect(await server.call()).toEqual(ok('{}'));
  });

  it('names its tools in as many pages as it likes', async () => {
    const server = await processServer(`
      on['tools/list'] = ({ cursor = '0' } = {}) =>
        ({ tools: [tool('act' + cursor)], ...(cursor === '2' ? {} : { nextCursor: String(Number(cursor) + 1) }) });`);
    await server.managed.open();
    expect(server.managed.tools.map(({ name }) => name)).toEqual(['mcp__s__act0', 'mcp__s__act1', 'mcp__s__act2']);
  });

  it('serves with the tools of its first pages where they have no end', async () => {
    const server = await processServer(`
      let page = 0;
      on['tools/list'] = () => ({ tools: page++ < 2 ? [tool('act' + page)] : [], nextCursor: 'more' });`);
    await server.managed.open();
    expect(server.managed.tools.map(({ name }) => name)).toEqual(['mcp__s__act1', 'mcp__s__act2']);
  });

  it('may ask the client: it gets an answer to a ping, and a refusal of what gw does not offer', async () => {
    const server = await processServer(`
      on['tools/call'] = () => new Promise((resolve) => {
        say({ id: 'p', method: 'ping' });
        say({ id: 'r', method: 'roots/list' });
        say({ id: 's', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
        const look = setInterval(() => {
          const answers = fs.readFileSync(process.env.HEARD, 'utf8').split('\\n').filter((line) => /"id":"[prs]"/.test(line));
          if (answers.length === 3) { clearInterval(look); resolve(text('done')); }
        }, 5);
      });`);
    expect(await server.call()).toEqual(ok('done'));
    const answers = new Map(server.heard().map((one) => [one.id, one.error?.code ?? one.result]));
    expect([answers.get('p'), answers.get('r'), answers.get('s')]).toEqual([{}, -32601, -32601]);
  });

  it('runs in the project, or in the directory of the configuration', async () => {
    const body = `on['tools/call'] = () => text(process.cwd());`;
    const server = await processServer(body);
    expect(await server.call()).toEqual(ok(server.project));
    const folder = join(server.project, 'inside');
    mkdirSync(folder);
    expect(await (await processServer(body, { cwd: folder })).call()).toEqual(ok(folder));
  });
});

describe('a call of a server that is a process', () => {
  it('that is interrupted ends at once, tells the server, and leaves it running', async () => {
    const server = await processServer(
      `on['tools/call'] = ({ arguments: { wait } }) => wait ? SILENCE : text('next');`,
    );
    const abort = new AbortController();
    const call = server.call({ wait: true }, abort.signal);
    const interrupted = failureOf(call);
    await expect.poll(() => server.heard().at(-1)?.method).toBe('tools/call');
    const { id } = server.heard().at(-1) ?? {};
    abort.abort(new Error('interrupted'));
    expect(await interrupted).toBe('interrupted');
    await expect
      .poll(() => server.heard().find(({ method }) => method === 'notifications/cancelled')?.params)
      .toMatchObject({ requestId: id });
    expect(await server.call({})).toEqual(ok('next'));
    expect(server.pids()).toHaveLength(1);
  });

  it('that was interrupted before is not made', async () => {
    const server = await processServer();
    await server.managed.open();
    await expect(server.call({}, AbortSignal.abort(new Error('interrupted')))).rejects.toThrow('interrupted');
    expect(server.heard().map(({ method }) => method)).not.toContain('tools/call');
  });

  it.each([
    ['an error', `on['tools/call'] = () => ({ error: { code: -32602, message: 'no such city' } });`, /no such city/],
    ['no content', `on['tools/call'] = () => ({ content: 'text' });`, /did not answer the call: /],
  ])('that is answered with %s fails, names the server, and leaves it running', async (_, body, says) => {
    const server = await processServer(`${body}\non['tools/list'] = () => ({ tools: [tool('act'), tool('b')] });`);
    await expect(server.call()).rejects.toThrow(says);
    await expect(server.call()).rejects.toThrow(/^The MCP server s /);
    expect([server.managed.state, server.pids().length]).toEqual(['running', 1]);
  });

  it('that ends the server in the middle of its answer fails, and the next call starts another process', async () => {
    const server = await processServer(`
      on['tools/call'] = ({ arguments: { die } }) => {
        if (!die) return text('alive');
        fs.writeSync(1, '{"jsonrpc":"2.0","id":');
        process.exit(1);
      };`);
    await expect(server.call({ die: true })).rejects.toThrow(/^The MCP server s did not answer the call: /);
    expect(await server.call({})).toEqual(ok('alive'));
    expect(server.pids()).toHaveLength(2);
  });
});
