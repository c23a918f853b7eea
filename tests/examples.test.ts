import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStack } from './support/stack.ts';

// The files of `examples/` as their README says, against `npm start`.
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
let folder: string;
let stack: Awaited<ReturnType<typeof startStack>>;
let collector: ReturnType<typeof spawn>;
const collected: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'examples-'));
  collector = spawn(process.execPath, ['examples/collector.mjs', '0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (collector.stdout === null || collector.stderr === null) throw new Error('its streams are pipes');
  createInterface({ input: collector.stdout }).on('line', (line) => collected.push(line));
  const [line] = (await once(createInterface({ input: collector.stderr }), 'line')) as [string];
  const port = /port (\d+)/.exec(line)?.[1];
  stack = await startStack('--env', `GATEWAY_LOG_EXPORT_URL=syslog+tcp://127.0.0.1:${port}`);
});
afterAll(async () => {
  await stack?.stop();
  collector?.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in the checkout; its exit code and both outputs. */
async function outcome(program: string, args: readonly string[], key = stack.keys.demo) {
  const env = {
    ...process.env,
    GATEWAY_URL: stack.gateway,
    GATEWAY_KEY: key,
    DATABASE_URL: stack.database.owner,
    GATEWAY_LICENSE: undefined,
  };
  return run(program, args, { cwd: ROOT, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

it('call.sh makes a plain call, a streamed one and a refused one', async () => {
  const { code, stdout } = await outcome('sh', ['examples/call.sh']);
  expect(code).toBe(0);
  expect(stdout).toContain('"object":"chat.completion"');
  expect(stdout).toContain('data: [DONE]');
  expect(stdout).toContain('Unauthorized.');
});

describe('agent.mjs', () => {
  it('answers in a session of its own', async () => {
    const { code, stdout } = await outcome('node', ['examples/agent.mjs', 'What time is it?']);
    expect(code).toBe(0);
    expect(stdout).toContain('What time is it?');
  });

  it('shows the sentence of the gateway when it is refused', async () => {
    const { code, stderr } = await outcome('node', ['examples/agent.mjs', 'Hello'], `gwk_${'0'.repeat(48)}`);
    expect(code).toBe(1);
    expect(stderr).toBe('401 Unauthorized.\n');
  });
});

it('collector.mjs prints a line for each decision', async () => {
  await expect.poll(() => collected.filter((line) => line.includes('  demo  Success')).length).toBeGreaterThan(2);
  await expect.poll(() => collected.join('\n')).toContain('  unknown  Failure  key-unknown');
});

it('gateway.yaml is a configuration that is applied, and then changes nothing', async () => {
  const gatewayctl = (...args: string[]) => outcome('npx', ['gatewayctl', ...args]);
  const difference = await gatewayctl('diff', 'examples/gateway.yaml');
  expect(difference.stdout).toContain('coding');
  expect(await gatewayctl('apply', 'examples/gateway.yaml', '--author', 'example')).toMatchObject({ code: 0 });
  expect((await gatewayctl('diff', 'examples/gateway.yaml')).stdout).not.toContain('coding');
});

it('verify-log.mjs verifies an export, and names the first entry that was changed', async () => {
  const [entries, keys] = [join(folder, 'decisions.jsonl'), join(folder, 'keys.pem')];
  await outcome('npx', ['gatewayctl', 'journal', 'export', '--output', entries]);
  writeFileSync(keys, (await outcome('npx', ['gatewayctl', 'journal', 'keys'])).stdout);
  const whole = await outcome('node', ['examples/verify-log.mjs', entries, keys]);
  expect(whole.stderr).toBe('');
  expect(whole.stdout).toMatch(/^\d+ entries are unchanged, in order and signed/);

  writeFileSync(entries, readFileSync(entries, 'utf8').replace('"granted"', '"refused"'));
  const changed = await outcome('node', ['examples/verify-log.mjs', entries, keys]);
  expect(changed).toMatchObject({ code: 1, stderr: 'Entry 1: it was changed\n' });
});
