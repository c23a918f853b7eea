import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../testing/failure.ts';
import { createServers } from './servers.ts';
import { processServer } from './testing/process-server.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a server that does not start', () => {
  it.each<[string, string, RegExp]>([
    ['refuses', `on.initialize = () => ({ error: { code: 1, message: 'no license' } });`, /no license/],
    [
      'speaks another version',
      `on.initialize = (p) => ({ protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 's', version: '1' } });`,
      /1999-01-01/,
    ],
    ['answers with nonsense', `on.initialize = () => ({ hello: 'world' });`, /./],
    [
      'names no tools',
      `on['tools/list'] = () => ({ error: { code: 2, message: 'no tools today' } });`,
      /no tools today/,
    ],
    ['sends no list of tools', `on['tools/list'] = () => ({ tools: 7 });`, /./],
    ['ends at once', `console.error('API_URL is not set'); process.exit(1);`, /; it said: API_URL is not set$/],
    [
      'ends while it names its tools',
      `on['tools/list'] = () => { console.error('out of memory'); process.exit(9); };`,
      /; it said: out of memory$/,
    ],
    [
      'says much before it ends',
      `fs.writeSync(2, 'x'.repeat(10000) + 'the last words'); process.exit(1);`,
      /; it said: x{286}the last words$/,
    ],
  ])('because it %s has failed with its reason, has no tools, and leaves no process', async (_, body, says) => {
    const server = await processServer(body);
    await expect(server.managed.open()).rejects.toThrow(says);
    expect([server.managed.state, server.managed.tools]).toEqual(['failed', []]);
    expect(server.managed.reason).toMatch(says);
    await expect.poll(() => server.pids().filter(isAlive)).toEqual([]);
  });

  it('because its directory is not there says what to correct', async () => {
    const server = await processServer('', { cwd: '/nowhere/at/all' });
    await expect(server.managed.open()).rejects.toThrow(/Install it, or correct command or cwd in the configuration$/);
  });

  it('because it says nothing has failed after ten seconds', async () => {
    const server = await processServer(`on.initialize = () => SILENCE;`);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const opened = failureOf(server.managed.open());
    const polled = (): boolean => server.heard().length > 0;
    while (!polled()) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(await opened).toMatch(/no answer within 10 seconds|timed out/i);
  });

  it('can be started once its fault is removed', async () => {
    const server = await processServer(`if (!fs.existsSync('ready')) process.exit(1);`);
    await expect(server.managed.open()).rejects.toThrow(/closed/i);
    writeFileSync(join(server.project, 'ready'), '');
    expect(await server.call({ a: 1 })).toEqual({ outcome: 'succeeded', content: '{"a":1}' });
    expect([server.managed.state, server.managed.reason]).toEqual(['running', null]);
  });
});

describe('closing', () => {
  it('a server that still starts does not wait for it, and ends its process', async () => {
    const server = await processServer(`on.initialize = () => SILENCE;`);
    const opened = failureOf(server.managed.open());
    await expect.poll(() => server.heard().length).toBe(1);
    vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: false });
    onTestFinished(() => void vi.useRealTimers());
    await server.managed.close();
    vi.useRealTimers();
    expect(await opened).toBe('The session ends.');
    expect([server.managed.state, server.managed.tools]).toEqual(['not started', []]);
    await expect.poll(() => server.pids().filter(isAlive)).toEqual([]);
  });

  it('ends all servers of a session, of which one has failed and one has ended', async () => {
    const [good, ended] = [await processServer(), await processServer()];
    const servers = createServers(
      () => [
        good.managed.configuration,
        ended.managed.configuration,
        { name: 'none', command: '/nowhere', ofProject: false },
      ],
      good.project,
    );
    expect(await servers.start()).toHaveLength(1);
    const [pid = 0] = ended.pids();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => servers.list().map(({ state }) => state)).toEqual(['running', 'ended', 'failed']);
    await servers.close();
    expect(servers.list().map(({ state }) => state)).toEqual(['not started', 'not started', 'not started']);
    expect(good.pids().filter(isAlive)).toEqual([]);
  });

  it('leaves a server that a later session can start', async () => {
    const server = await processServer();
    await server.managed.open();
    await server.managed.close();
    expect(await server.call({ a: 1 })).toMatchObject({ content: '{"a":1}' });
    expect(server.pids()).toHaveLength(2);
  });
});
