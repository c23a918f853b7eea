import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { nginx } from './nginx.ts';
import { PeerAbsent } from './peer.ts';
import { startProgram } from './program.ts';

const installed = spawnSync('nginx', ['-v']).status === 0;
const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('bench-nginx-'));
let engine: Awaited<ReturnType<typeof startProgram>>;
beforeAll(async () => {
  engine = await startProgram(new URL('../engine.ts', import.meta.url));
});
afterAll(() => {
  engine.child.kill();
});
afterEach(() => vi.unstubAllEnvs());

describe('nginx', () => {
  it('is absent where it is not installed, and says how to get it', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const before = folders();
    await expect(nginx(engine.url)).rejects.toThrow(PeerAbsent);
    await expect(nginx(engine.url)).rejects.toThrow('nginx is not installed (Debian: apt-get install nginx-light)');
    expect(folders()).toEqual(before);
  });

  it.runIf(installed && existsSync('/proc'))('passes a plain and a streamed answer of the engine', async () => {
    const peer = await nginx(engine.url);
    const ask = (stream: boolean): Promise<Response> =>
      fetch(`http://127.0.0.1:${peer.target.port}${peer.target.path}`, {
        method: 'POST',
        body: JSON.stringify({ stream }),
      });
    expect(await (await ask(false)).json()).toMatchObject({ object: 'chat.completion' });
    expect((await (await ask(true)).text()).split('\n\n')).toHaveLength(103);
    await peer.stop();
  });
});
