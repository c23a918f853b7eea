import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { peerAt } from '../testing/fakes.ts';
import { secondProcess } from './second-process.ts';

/** Answers with its arguments and its environment. */
const PROGRAM = `
import { createServer } from 'node:http';
createServer((_, response) => response.end(JSON.stringify({ words: process.argv.slice(2), env: process.env })))
  .listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
`;
const linux = existsSync('/proc/self/cmdline');
const folder = mkdtempSync(join(tmpdir(), 'bench-second-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Said {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

describe.runIf(linux)('a second process', () => {
  it('is started like the first, at another address and with a state of its own', async () => {
    const file = join(folder, 'first.mjs');
    writeFileSync(file, PROGRAM);
    const env = { PORT: '0', DATABASE_URL: 'postgres://u@h/db?options=-c a=b', EMPTY: '', GATEWAY_STATE_DIR: '/first' };
    const first = spawn(process.execPath, [file, '--flag', 'a b'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(first.stdout, 'data');
      const second = await secondProcess({ ...peerAt(1), pid: first.pid ?? null });
      try {
        const answer = await fetch(`http://127.0.0.1:${second.target.port}/`);
        const said = (await answer.json()) as Said;
        expect(said.words).toEqual(['--flag', 'a b']);
        expect(said.env).toMatchObject({ DATABASE_URL: env.DATABASE_URL, EMPTY: '', PORT: String(second.target.port) });
        expect(said.env['GATEWAY_STATE_DIR']).not.toBe('/first');
        expect(said.env['GATEWAY_SIGNING_KEY_FILE']).toContain(said.env['GATEWAY_STATE_DIR'] ?? '?');
        expect(second.pid).not.toBe(first.pid);
        expect(second.target.path).toBe(peerAt(1).target.path);
      } finally {
        await second.stop();
      }
    } finally {
      first.kill();
    }
  });
});

it('a second process needs to know the first', async () => {
  await expect(secondProcess(peerAt(1))).rejects.toThrow('the first process is not known');
});
