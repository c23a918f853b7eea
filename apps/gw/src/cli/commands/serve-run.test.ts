import { existsSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSessionWorld, type SessionWorld } from '../../testing/session-world.ts';
import type { Ran } from '../../testing/world.ts';

interface Ready {
  readonly url: string;
  readonly session: string;
  readonly token: string;
}

let world: SessionWorld;
beforeEach(async () => {
  world = await openSessionWorld();
});
afterEach(() => world.end());

/** Starts `gw serve` on a free port; `ended` resolves with its exit code. */
async function serve(...words: readonly string[]): Promise<Ready & { readonly ended: Promise<Ran> }> {
  const { promise, resolve, reject } = Promise.withResolvers<Ready>();
  const write = async (text: string): Promise<void> => resolve(JSON.parse(text) as Ready);
  const ended = world.gw(['serve', '--port', '0', ...words], { terminal: { write } });
  ended.then(({ err }) => reject(new Error(err)), reject);
  return { ...(await promise), ended };
}

function ask(ready: Ready, line: string, headers: Readonly<Record<string, string>> = {}, body = '') {
  const [method = 'GET', path = '/'] = line.split(' ');
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: Record<string, unknown> }>();
  const sent = { authorization: `Bearer ${ready.token}`, ...headers };
  const call = request(`${ready.url}${path}`, { method, headers: sent, agent: false }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
    );
  });
  call.on('error', reject);
  call.end(body);
  return promise;
}

// client-20
describe('gw serve', () => {
  it('answers its token alone, and no foreign host or page', async () => {
    const ready = await serve();
    expect((await ask(ready, 'GET /state')).status).toBe(200);
    for (const authorization of ['', 'Bearer', `Bearer ${ready.token}x`, `Basic ${ready.token}`]) {
      expect([authorization, await ask(ready, 'GET /state', { authorization })]).toEqual([
        authorization,
        { status: 401, body: { error: 'Send the token: Authorization: Bearer <token>.' } },
      ]);
    }
    expect((await ask(ready, 'GET /state', { host: 'gateway.example' })).status).toBe(403);
    expect((await ask(ready, 'GET /state', { origin: 'http://127.0.0.1' })).status).toBe(403);
    await ask(ready, 'POST /exit');
    expect((await ready.ended).code).toBe(0);
  });

  it('keeps its token in a file of its user, and removes it at the end', async () => {
    const ready = await serve();
    const file = join(world.home, '.gateway/serve', `${new URL(ready.url).port}.json`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ token: ready.token, session: ready.session });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await ask(ready, 'POST /exit');
    await ready.ended;
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['--host', '0.0.0.0', 'gw: --host must be a loopback address (127.0.0.1, localhost, ::1), not "0.0.0.0".'],
    ['--port', '70000', 'gw: --port must be a whole number from 0 to 65535, not "70000".'],
  ])('refuses %s %s', async (option, value, line) => {
    const { code, err } = await world.gw(['serve', option, value]);
    expect([code, err.split('\n')[0]]).toEqual([2, line]);
  });

  it('names a port that is in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const { code, err } = await world.gw(['serve', '--port', String(port)]);
    expect([code, err]).toEqual([1, `gw: Port ${port} is in use. Choose another one with --port.\n`]);
    await new Promise((resolve) => taken.close(resolve));
  });

  it('takes messages in order and shows the state of the session', async () => {
    const ready = await serve();
    world.engine.play(['First.', 'Second.']);
    const sent = (message: string) => ask(ready, 'POST /message', {}, JSON.stringify({ message }));
    expect((await sent('one')).body).toMatchObject({ queued: true, position: 0 });
    expect((await sent('two')).body).toMatchObject({ queued: true });
    await expect
      .poll(async () => (await ask(ready, 'GET /state')).body)
      .toMatchObject({
        isProcessing: false,
        messageQueueLength: 0,
        pendingPermission: null,
        session: { id: ready.session, turns: 2 },
      });
    expect((await ask(ready, 'POST /message', {}, '{}')).status).toBe(400);
    expect((await ask(ready, 'GET /message')).status).toBe(405);
    expect((await ask(ready, 'GET /nothing')).status).toBe(404);
    await ask(ready, 'POST /exit');
    await ready.ended;
  });
});

it('runs no program of the repository for the differences', async () => {
  world.git('init');
  world.write('work/shop/a.txt', 'one\n');
  world.git('add', '.');
  world.git('commit', '-m', 'first');
  const touched = join(world.root, 'touched');
  world.write('work/shop/.gitattributes', '* filter=evil diff=evil\n');
  for (const name of [
    'filter.evil.clean',
    'filter.evil.process',
    'diff.evil.textconv',
    'core.fsmonitor',
    'diff.external',
  ])
    world.git('config', name, `touch ${touched}`);
  world.write('work/shop/a.txt', 'second\n');
  world.write('work/shop/new.txt', 'new\n');
  const ready = await serve();
  const { body } = await ask(ready, 'GET /diff');
  expect(body.diff).toMatch(/-one\n\+second/);
  expect(body.diff).toMatch(/\+new/);
  expect(existsSync(touched)).toBe(false);
  await ask(ready, 'POST /exit');
  await ready.ended;
});

it('takes the scheme of the token in any case', async () => {
  const ready = await serve();
  expect((await ask(ready, 'GET /state', { authorization: `bearer ${ready.token}` })).status).toBe(200);
  expect((await ask(ready, 'GET /state', { authorization: ready.token })).status).toBe(401);
  await ask(ready, 'POST /exit');
  await ready.ended;
});

describe('the options of gw serve', () => {
  it.each(['short', 'with a blank in it', `line${'x'.repeat(20)}\nbreak`, 'é'.repeat(20)])(
    'refuse the token %j, which nothing could send or anybody could guess',
    async (token) => {
      const { code, err } = await world.gw(['serve', '--port', '0'], { variables: { GATEWAY_SERVE_TOKEN: token } });
      expect([code, err]).toEqual([2, 'gw: GATEWAY_SERVE_TOKEN must have 16 characters or more, without blanks.\n']);
    },
  );

  it('end it after the time without a message, with 0', async () => {
    const ready = await serve('--timeout', '1');
    expect(await ready.ended).toMatchObject({ code: 0, err: '' });
  });

  it.each(['--id', '--beta-upload-artifact-tool'])(
    'that ask for central storage have no effect, and say so: %s',
    async (name) => {
      const ready = await serve(name, ...(name === '--id' ? ['x'] : []));
      await ask(ready, 'POST /exit');
      const { code, err } = await ready.ended;
      expect([code, err]).toEqual([0, `gw: ${name} is ignored: this build has no central storage.\n`]);
    },
  );

  it('send a first message, and continue the latest session of the repository', async () => {
    world.engine.play(['First.']);
    const first = await serve('the first message');
    const turns = async (ready: Ready) => ((await ask(ready, 'GET /state')).body['session'] as { turns: number }).turns;
    await expect.poll(() => turns(first)).toBe(1);
    await ask(first, 'POST /exit');
    await first.ended;
    const second = await serve('--resume');
    expect(second.session).toBe(first.session);
    expect(second.token).not.toBe(first.token);
    expect(await turns(second)).toBe(1);
    await ask(second, 'POST /exit');
    await second.ended;
  });

  it('take the name of this machine for its address', async () => {
    const ready = await serve('--host', 'localhost');
    expect(new URL(ready.url).hostname).toBe('127.0.0.1');
    await ask(ready, 'POST /exit');
    await ready.ended;
  });
});

describe('a turn of a served session', () => {
  const write = { calls: [{ name: 'Write', args: { file_path: 'a.txt', content: 'x' } }] };
  const post = (ready: Ready, path: string, body: object) => ask(ready, `POST ${path}`, {}, JSON.stringify(body));

  it('waits for a permission, which the state shows with the change, and one answer is enough', async () => {
    const ready = await serve();
    world.engine.play([write, 'Written.']);
    await post(ready, '/message', { message: 'write it' });
    await expect.poll(async () => (await ask(ready, 'GET /state')).body['pendingPermission']).not.toBeNull();
    const { pendingPermission: pending } = (await ask(ready, 'GET /state')).body as {
      readonly pendingPermission: { readonly requestId: string };
    };
    expect(pending).toMatchObject({
      tool: 'Write',
      target: 'a.txt',
      arguments: '{"file_path":"a.txt","content":"x"}',
      preview: { kind: 'diff', before: null, after: 'x' },
    });
    const answer = { requestId: pending.requestId, approved: true };
    expect((await post(ready, '/permission', answer)).status).toBe(200);
    expect((await post(ready, '/permission', answer)).status).toBe(404);
    await expect.poll(async () => (await ask(ready, 'GET /state')).body['isProcessing']).toBe(false);
    expect(readFileSync(join(world.project, 'a.txt'), 'utf8')).toBe('x');
    await ask(ready, 'POST /exit');
    await ready.ended;
  });

  it('that is ended by POST /exit leaves nothing half done, and the exit code is 0', async () => {
    const ready = await serve();
    world.engine.play([write, 'NEVER']);
    await post(ready, '/message', { message: 'write it' });
    await expect.poll(async () => (await ask(ready, 'GET /state')).body['pendingPermission']).not.toBeNull();
    await ask(ready, 'POST /exit');
    expect((await ready.ended).code).toBe(0);
    expect(existsSync(join(world.project, 'a.txt'))).toBe(false);
    expect((await world.gw(['replay', ready.session, '--json'])).out).toContain('"intact":true');
  });

  it('that fails is in the events, and the next message is worked on', async () => {
    const ready = await serve();
    world.engine.play([{ status: 400, body: '{"error":{"message":"No such model."}}' }, 'Better.']);
    await post(ready, '/message', { message: 'one' });
    await post(ready, '/message', { message: 'two' });
    await expect
      .poll(async () => (await ask(ready, 'GET /state')).body)
      .toMatchObject({ isProcessing: false, messageQueueLength: 0, session: { turns: 2 } });
    expect(world.engine.requests).toHaveLength(2);
    await ask(ready, 'POST /exit');
    expect((await ready.ended).code).toBe(0);
  });
});
