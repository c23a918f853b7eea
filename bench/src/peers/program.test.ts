import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { answering } from '../testing/answers.ts';
import { listenerOf } from './gateway.ts';
import { freePort, listening, residentMemory, startProgram } from './program.ts';

const linux = existsSync('/proc/self/status');
const folder = mkdtempSync(join(tmpdir(), 'bench-program-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, text: string): URL {
  const file = join(folder, name);
  writeFileSync(file, text);
  return pathToFileURL(file);
}

describe('a program that is started', () => {
  it('is there as soon as it says where it listens', async () => {
    const file = program(
      'listens.mjs',
      "process.send(process.argv[2]); process.once('disconnect', () => process.exit())",
    );
    const { child, url } = await startProgram(file, ['http://127.0.0.1:1234/']);
    expect(url.port).toBe('1234');
    child.kill();
  });

  it('is none where it ends first, with its name and its code', async () => {
    const file = program('ends.mjs', 'process.exit(3)');
    await expect(startProgram(file)).rejects.toThrow('ends.mjs ended with 3');
  });
});

describe('a port', () => {
  it('is free, so that a server can have it', async () => {
    const port = await freePort();
    const server = net.createServer();
    await new Promise<void>((done) => {
      server.listen(port, '127.0.0.1', done);
    });
    server.close();
    expect(port).toBeGreaterThan(0);
  });

  it('is waited for until something listens on it', async () => {
    const { port, close } = await answering(() => undefined);
    await expect(listening(port, 10_000)).resolves.toBeUndefined();
    close();
  });

  it('is not waited for longer than was said, and is named', async () => {
    const port = await freePort();
    await expect(listening(port, 0)).rejects.toThrow(`nothing listens on port ${port}`);
  });

  it.runIf(linux)('has the process that listens on it, and none where nobody does', async () => {
    const { port, close } = await answering(() => undefined);
    expect(listenerOf(port)).toBe(process.pid);
    close();
    expect(listenerOf(await freePort())).toBeNull();
  });
});

it.runIf(linux)('the memory of a process is what it holds, in megabytes', () => {
  const megabytes = process.memoryUsage().rss / 2 ** 20;
  expect(residentMemory(process.pid) / megabytes).toBeGreaterThan(0.5);
  expect(residentMemory(process.pid) / megabytes).toBeLessThan(2);
  expect(() => residentMemory(2 ** 30)).toThrow('ENOENT');
});
