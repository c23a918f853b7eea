import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { npmStart, type Ready, type Started, startStack as startWhole } from './support/stack.ts';

// `npm start` (client-31, client-32). Each test starts and ends it whole.

let folder: string;
let running: Pick<Started, 'stop'>[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'npm-start-test-'));
  running = [];
});

afterEach(async () => {
  for (const started of running) await started.stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(...words: readonly string[]): Started {
  const started = npmStart(...words);
  running.push(started);
  return started;
}

/** A stack that ends with its test, however that ends. */
async function startStack(...words: readonly string[]): ReturnType<typeof startWhole> {
  const stack = await startWhole(...words);
  running.push(stack);
  return stack;
}

/** Processes of this machine whose command line or environment names the folder. */
function processesOf(path: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const about = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1'));
      return about.some((text) => text.includes(path)) && Number(pid) !== process.pid;
    } catch {
      return false;
    }
  });
}

async function answers(address: string): Promise<number> {
  return (await fetch(address, { redirect: 'manual' })).status;
}

function chat({ gateway, keys }: Ready, path = '/demo/v1/chat/completions', body: object = {}): Promise<Response> {
  return fetch(`${gateway}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.demo}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
  });
}

describe('--ephemeral --json', () => {
  it('prints one line when everything serves, and leaves nothing behind, although a stream is open', async () => {
    const stack = await startStack();
    expect(stack).toMatchObject({
      profile: 'serverless',
      keys: { admin: expect.stringMatching(/^gwk_[0-9a-f]{48}$/), demo: expect.stringMatching(/^gwk_[0-9a-f]{48}$/) },
      endpoint: 'demo',
      license: null,
      directory: null,
      consoleSignIn: { user: 'admin' },
    });
    const answer = await chat(stack);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('This is the demo engine');
    expect(await answers(stack.console)).toBe(401);
    const asked = await fetch(`${stack.gateway}/v/_search?q=revoke+an+agent+session&limit=1`);
    expect(await asked.json()).toMatchObject({
      answered: true,
      results: [{ url: expect.stringContaining('/operator/revoke') }],
    });
    expect(existsSync(stack.stateDirectory)).toBe(true);
    const open = await chat(stack, undefined, { stream: true });
    await open.body?.getReader().read();
    expect(await stack.stop()).toBe(0);
    expect(existsSync(stack.stateDirectory)).toBe(false);
    expect(processesOf(stack.stateDirectory)).toEqual([]);
    await expect(answers(stack.gateway)).rejects.toThrow('fetch failed');
  });
});

describe('--bare', () => {
  it('declares and grants nothing; killed, it leaves nothing behind either', async () => {
    const stack = await startStack('--bare');
    expect(stack.endpoint).toBeNull();
    expect(Object.keys(stack.keys)).toEqual(['admin']);
    const answer = await fetch(`${stack.gateway}/demo/v1/models`, {
      headers: { 'x-api-key': stack.keys.admin ?? '' },
    });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: 'Unknown endpoint: demo', available: [] });
    stack.signal('SIGKILL');
    await expect.poll(() => processesOf(stack.stateDirectory)).toEqual([]);
    await expect.poll(() => existsSync(stack.stateDirectory)).toBe(false);
  });
});

describe('--profile on-premise', () => {
  it('comes with a license, an identity provider and the organization to be served', async () => {
    const stack = await startStack('--profile', 'on-premise', '--env', 'GATEWAY_ORGANIZATION=acme');
    expect(stack).toMatchObject({ profile: 'on-premise', endpoint: 'demo', directory: { clientId: 'gateway' } });
    expect(stack.license?.split('.')).toHaveLength(3);
    expect([stack.consoleSignIn?.user, stack.auditorSignIn?.user]).toEqual(['demo', 'auditor']);
    expect(existsSync(join(stack.stateDirectory, 'license-signing-key.pem'))).toBe(true);
    expect((await chat(stack)).status).toBe(200);
    const policy = await fetch(`${stack.gateway}/ide/policy`, {
      headers: { authorization: `Bearer ${stack.license}` },
    });
    expect(await policy.json()).toMatchObject({ organization: 'acme', policy: null });
    await stack.stop();
  });
});

describe('sentences', () => {
  it('show a person how to continue, and the curl line works', async () => {
    const started = start('--ephemeral', '--data', join(folder, 'kept here'));
    // A first start after a change builds the artifact and the manual.
    await expect.poll(() => started.output.join('\n'), { timeout: 240_000 }).toContain('Ctrl-C');
    const said = started.output.join('\n');
    expect(said).toContain('This is the demo engine');
    expect(said).toMatch(
      /^Decision log: #1 granted to demo, User: “Call endpoints” on endpoint:demo, at \S+Z, digest \w+…$/m,
    );
    expect(said.split('\n').filter((line) => /^\d\. /.test(line))).toEqual([
      expect.stringMatching(/^1\. Open the console +http:\S+ +user admin +password \S+$/),
      expect.stringMatching(/^2\. Make a call +curl /),
      '3. Connect an engine  npm start -- --engine http://localhost:11434 --model llama3.2',
      expect.stringMatching(/^4\. Read the manual +http:\S+\/v$/),
    ]);
    expect(said.trimEnd()).toMatch(/\n4\. [^\n]+\n+Ctrl-C ends everything\.$/);
    const [, address, key] = /curl (\S+) .*Bearer (\w+)'/.exec(said) ?? [];
    const again = await fetch(address ?? '', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"messages":[{"role":"user","content":"again"}]}',
    });
    expect(again.status).toBe(200);
    expect(await started.stop()).toBe(0);
  });
});

describe('--data', () => {
  it('keeps everything for the next start: key, endpoint, decisions', async () => {
    const data = join(folder, 'kept');
    const first = await startStack('--data', data);
    expect((await chat(first)).status).toBe(200);
    expect(await first.stop()).toBe(0);
    expect(first.log()).toMatch(/^Stopping …\nStopped\. The data stays in .*kept\.\n$/m);
    expect(statSync(join(data, 'quickstart.json')).mode & 0o777).toBe(0o600);

    const second = await startStack('--data', data);
    expect(second.keys).toEqual(first.keys);
    expect(second.consoleSignIn).toEqual(first.consoleSignIn);
    expect((await chat(second)).status).toBe(200);

    const third = start('--ephemeral', '--json', '--data', data);
    expect(await third.ended).toBe(1);
    expect(third.log()).toMatch(/npm start already runs on .*kept \(process \d+\)/);
    expect((await chat(second)).status).toBe(200);
    await second.stop();
  });
});

describe('--env', () => {
  it("gives the account admin its key, which the ready line shows, and the next start's too", async () => {
    const key = `gwk_${'0123456789abcdef'.repeat(3)}`;
    const words = ['--bare', '--data', join(folder, 'kept')];
    const first = await startStack(...words, '--env', `ADMIN_API_KEY=${key}`);
    expect(first.keys).toEqual({ admin: key });
    await first.stop();
    const second = await startStack(...words);
    expect(second.keys).toEqual({ admin: key });
    const answer = await fetch(`${second.gateway}/demo/v1/models`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(404);
    expect(second.log()).not.toContain('ADMIN_API_KEY');
    await second.stop();
  });
});

describe('a real engine', () => {
  it('is called through the endpoint, with its key from the environment', async () => {
    const calls: { readonly path: string; readonly key: string | undefined; readonly model: unknown }[] = [];
    const engine = createHttpServer((request, response) => {
      json(request).then(
        (body) => {
          const { model } = body as { readonly model: unknown };
          calls.push({ path: request.url ?? '', key: request.headers.authorization, model });
          return response
            .setHeader('content-type', 'application/json')
            .end('{"choices":[{"message":{"content":"real"}}]}');
        },
        () => response.destroy(),
      );
    }).listen(0, '127.0.0.1');
    await once(engine, 'listening');
    const address = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
    try {
      const words = ['--engine', `${address}/v1`, '--model', 'real-model', '--engine-key-env', 'ENGINE_KEY'];
      const stack = await startStack(...words, '--env', 'ENGINE_KEY=of-the-test');
      expect(stack.engine).toBe(address);
      expect((await chat(stack)).status).toBe(200);
      expect(calls).toEqual([{ path: '/v1/chat/completions', key: 'Bearer of-the-test', model: 'real-model' }]);
      await stack.stop();
    } finally {
      engine.close();
    }
  });
});

describe('a fault', () => {
  it.each([['--nonsense', 2, /unknown option '--nonsense'/]] as const)(
    '%s ends with a line and exit code %i',
    async (word, code, line) => {
      const started = start('--ephemeral', '--json', word);
      expect(await started.ended).toBe(code);
      expect(started.output).toEqual([]);
      expect(started.log().trim().split('\n').at(-1)).toMatch(line);
    },
  );

  it('a busy port is named with the option that chooses another', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const started = start('--ephemeral', '--json', '--port', String(port));
    expect(await started.ended).toBe(1);
    expect(started.log()).toMatch(new RegExp(`Port ${port}, for the gateway, is used .*--port`));
    holder.close();
  });

  it('of a component ends everything with its own line', async () => {
    const started = start('--ephemeral', '--json', '--bare', '--env', 'GATEWAY_REQUEST_TIMEOUT_SECONDS=0');
    expect(await started.ended).toBe(1);
    expect(started.output).toEqual([]);
    expect(started.log()).toMatch(/^gateway: GATEWAY_REQUEST_TIMEOUT_SECONDS: /m);
    expect(started.log()).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  });

  it('of the database after the start ends nothing', async () => {
    const stack = await startStack();
    const file = readdirSync(stack.stateDirectory, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('postmaster.pid'),
    );
    const pid = Number(readFileSync(join(stack.stateDirectory, file ?? ''), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    await expect.poll(async () => (await chat(stack)).status).toBe(503);
    expect(await answers(`${stack.gateway}/`)).toBe(404);
    expect(await stack.stop()).toBe(0);
  });
});
