import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { allRowsOf } from '@gateway/database/testing';
import { type Canary, canaries } from '@gateway/secrets/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOtlpReceiver } from '../export/testing/otlp-receiver.ts';
import { profile as onPremise } from '../profile/on-premise.ts';
import { ask } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { testLicense } from '../testing/license.ts';
import { startWorld, type World, withSecretsPolicy } from '../testing/world.ts';

// The same in every run, so that a failure is reproducible.
const ALL = canaries('gateway');
const LINES = ALL.filter(({ line }) => line);
const planted: Canary[] = [];
const answers: { readonly where: string; readonly text: string }[] = [];

let world: World;
let workdir: string;
let license: string;
beforeAll(async () => {
  workdir = mkdtempSync(join(tmpdir(), 'gateway-canary-'));
  license = await testLicense();
  world = await startWorld({
    profile: onPremise,
    environment: {
      GATEWAY_LICENSE: license,
      GATEWAY_ORGANIZATION: 'acme',
      GATEWAY_AGENT_LAUNCHER: 'process',
      GATEWAY_AGENT_WORKDIR: workdir,
    },
  });
  world.engine.on('/echo', ({ body, headers }, response) => {
    const status = Number(headers['x-status'] ?? 200);
    response.writeHead(status, { 'content-type': String(headers['x-type'] ?? 'application/json') });
    response.end(headers['x-reversed'] === undefined ? body : Buffer.from(body).reverse());
  });
});
afterAll(async () => {
  await world.stop();
  rmSync(workdir, { recursive: true, force: true });
});

/** The next canaries: over all fields together, every rule is used. */
let turn = 0;
function next(count = 12): readonly Canary[] {
  const taken = Array.from({ length: count }, (_, at) => LINES[(turn + at) % LINES.length] as Canary);
  turn += count;
  planted.push(...taken);
  return taken;
}

/** Sends a request; what is answered is looked into at the end. */
async function send(where: string, path: string, asking: Parameters<typeof ask>[2] = {}) {
  const answer = await ask(world.port, path, { key: world.key, ...asking });
  answers.push({ where, text: `${answer.rawHeaders.join('\n')}\n${answer.text}` });
  return answer;
}
/** The canaries that a text contains. */
const found = (text: string): string[] => planted.filter(({ value }) => text.includes(value)).map(({ rule }) => rule);
const leaked = (): string[] => answers.flatMap(({ where, text }) => found(text).map((rule) => `${rule} in ${where}`));
const says = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });
const command = (more: object) => ({
  session: 'canary',
  interpreteur: 'sh',
  arguments: ['-c', 'true'],
  variablesSupplementaires: {},
  ...more,
});
const act = (more: object) => ({
  id: uuid(),
  session: 'canary',
  subject: 'somebody',
  at: new Date().toISOString(),
  tool: 'shell',
  target: { kind: 'command', value: 'ls' },
  authorizedBy: 'policy',
  outcome: 'succeeded',
  ...more,
});

describe.each(['block', 'mask', 'alert'] as const)('secrets planted in every field, policy %s', (response) => {
  beforeAll(() => withSecretsPolicy(world, { response, entropy: true }));

  it('of a relayed request', async () => {
    const all = response === 'block' ? ALL : next(40);
    planted.push(...all);
    for (const { text } of all) await send('body', '/chat/v1/x', { body: says(`use ${text} now`) });
    for (const { text } of next()) await send('text body', '/chat/v1/x', { body: text });
    for (const { text } of next()) await send('query', `/chat/v1/x?key=${encodeURIComponent(text)}`);
    for (const { text } of next()) await send('path', `/chat/v1/${encodeURIComponent(text)}/x`);
    for (const { text } of next()) await send('request id', '/chat/v1/x', { headers: { 'x-request-id': text } });
    for (const { text } of next())
      await send('header', '/chat/v1/x', { headers: { 'x-other': text, 'user-agent': text } });
    for (const { text } of next()) await send('content type', '/chat/v1/x', { headers: { 'content-type': text } });
    for (const { text } of next()) await send('token', '/chat/v1/x', { headers: { authorization: `Bearer ${text}` } });
    for (const { text } of next())
      await send('key', '/chat/v1/x', { headers: { authorization: '', 'x-api-key': text } });
    for (const { text } of next()) await send('forwarded', '/chat/v1/x', { headers: { 'x-forwarded-for': text } });
    expect(leaked()).toEqual([]);
  });

  it('of an answer, plain, streamed, and of an error', async () => {
    // The engine answers with the request's bytes in reverse order, so that only the answer contains the secret.
    const reversed = { 'content-type': 'image/png', 'x-reversed': 'yes' };
    const backwards = (text: string): Buffer => Buffer.from(text).reverse();
    for (const { text } of next(24)) {
      const body = backwards(JSON.stringify([{ error: { message: `bad key ${text}` } }]));
      const event = backwards(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`);
      for (const status of ['200', '500']) {
        const answer = await send('answer', '/chat/echo', { body, headers: { ...reversed, 'x-status': status } });
        if (response === 'alert') answers.pop(); // alert lets it pass (relay-35)
        expect(answer.status).toBe(response === 'block' ? 502 : Number(status));
      }
      const headers = { ...reversed, 'x-type': 'text/event-stream' };
      await send('stream', '/chat/echo', { body: event, headers }).catch((error: Error) => {
        // A stream that is cut for a secret ends as unfinished.
        if (response !== 'block' || error.message !== 'aborted') throw error;
      });
      if (response === 'alert') answers.pop();
    }
    expect(leaked()).toEqual([]);
  });

  it('of an agent command', async () => {
    const post = (where: string, more: object) => send(where, '/_agent-execution/commands', { body: command(more) });
    for (const { text } of next(3)) await post('arguments', { arguments: ['-c', ': "$1"', 'sh', text] });
    for (const { text } of next(3)) await post('variables', { variablesSupplementaires: { PLANTED: text } });
    for (const { text } of next(3)) await post('interpreter', { interpreteur: text });
    for (const { text } of next(3)) await post('member', { [text]: text });
    for (const { text } of next(3)) {
      await send('interrupt', `/_agent-execution/commands/${encodeURIComponent(text)}/interrupt`, { body: '' });
    }
    for (const { text } of next(6)) {
      const output = {
        variablesSupplementaires: { PLANTED: text },
        arguments: ['-c', 'echo "$PLANTED" | tee /dev/stderr'],
      };
      const { text: lines } = await post('output', output);
      const said = lines
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { donnees?: string }).donnees ?? '']));
      // What the caller reads is base64 (commands-4); alert lets it pass (relay-35).
      const decoded = Buffer.concat(said.map((data) => Buffer.from(data, 'base64'))).toString();
      if (response !== 'alert') answers.push({ where: 'output', text: decoded });
    }
    expect(leaked()).toEqual([]);
  });

  it('of acts and of the other control plane', async () => {
    const authorization = `Bearer ${license}`;
    const post = (where: string, more: object) =>
      send(where, '/ide/acts', { headers: { authorization }, body: { acts: [act(more)] } });
    for (const { text } of next(6)) {
      expect((await post('target', { target: { kind: 'command', value: `curl -H '${text}'` } })).status).toBe(200);
      expect((await post('reason', { reason: `because ${text}`.slice(0, 300) })).status).toBe(200);
    }
    for (const { text } of next(6)) await post('tool', { tool: text.slice(0, 200) });
    for (const { text } of next(6)) await post('unknown member', { [text]: 1 });
    for (const { text } of next(6)) await post('identifier', { id: text });
    for (const { text } of next(3))
      await send('license', '/ide/policy', { headers: { authorization: `Bearer ${text}` } });
    for (const { text } of next(3))
      await send('ide', `/ide/${encodeURIComponent(text)}`, { headers: { authorization } });
    expect(leaked()).toEqual([]);
  });

  it('of the documentation', async () => {
    for (const { text } of next(3)) await send('page', `/v/1.0.0/${encodeURIComponent(text)}`, { method: 'GET' });
    for (const { text } of next(3))
      await send('search', `/v/_search?q=${encodeURIComponent(text)}&${encodeURIComponent(text)}=1`, { method: 'GET' });
    for (const { text } of next(3)) await send('method', '/v/_mcp', { body: { jsonrpc: '2.0', id: 1, method: text } });
    expect(leaked()).toEqual([]);
  });
});

it('every rule was planted', () => {
  expect(new Set(planted.map(({ rule }) => rule)).size).toBe(new Set(ALL.map(({ rule }) => rule)).size);
});

it('none of them is in any table', async () => {
  const dump = await allRowsOf(world.database.sql);
  expect(dump.size).toBeGreaterThan(15);
  expect(dump.get('public.authorization_decisions')?.length).toBeGreaterThan(10_000);
  expect([...dump].flatMap(([table, text]) => found(text).map((rule) => `${rule} in ${table}`))).toEqual([]);
});

it('nor in any line for the operator', () => {
  expect(world.reports.length).toBeGreaterThan(50);
  expect(found(world.reports.join('\n'))).toEqual([]);
});

/** The exported data: a row without a secret could still be joined or decoded into one. */
describe('nor in what is exported', () => {
  /** Waits until a collector has as many entries as the logs. */
  async function exported(url: string, count: () => number): Promise<void> {
    const exporting = await world.another({ GATEWAY_LOG_EXPORT_URL: url });
    await eventually(async () => {
      const [logged] = await world.database.sql<{ entries: number }[]>`
          select ((select count(*) from authorization_decisions) + (select count(*) from administration_actions)
            + (select count(*) from secret_detections) + (select count(*) from agent_acts))::int as entries`;
      expect(logged?.entries).toBeGreaterThan(1000);
      expect(count()).toBe(logged?.entries);
    }, 100);
    await exporting.stop();
    await world.database.sql`delete from log_export_positions`;
  }

  it('to an OTLP receiver', async () => {
    const receiver = await startOtlpReceiver();
    await exported(new URL(receiver.url).origin, () => receiver.records.length);
    await receiver.stop();
    expect(found(JSON.stringify(receiver.records))).toEqual([]);
    expect(found(receiver.records.map(({ body }) => body.stringValue).join('\n'))).toEqual([]);
  });

  it('to a syslog receiver', async () => {
    let received = '';
    const server = createServer((socket) =>
      socket.setEncoding('utf8').on('data', (text: string) => {
        received += text;
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await exported(`syslog+tcp://127.0.0.1:${port}`, () => received.split('"class_uid"').length - 1);
    server.close();
    expect(found(received)).toEqual([]);
  });

  it.each([
    // Refusals of callers without a proof are counted in one entry beyond their share.
    ['decisions', 500],
    ['actions', 0],
  ])('by gatewayctl journal export --chain %s', async (chain, least) => {
    const program = fileURLToPath(new URL('../../../../dist/on-premise/gatewayctl.js', import.meta.url));
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [program, 'journal', 'export', '--chain', chain],
      { env: { ...process.env, DATABASE_URL: world.database.ownerUrl }, maxBuffer: 1e9 },
    );
    expect(stdout.split('\n').length).toBeGreaterThan(least);
    expect(found(`${stdout}${stderr}`)).toEqual([]);
  });
});

/** The values that the contract allows to repeat or store. */
describe('the exceptions', () => {
  const [canary] = canaries('exceptions').filter(({ line, text, value }) => line && text === value);
  const name = canary?.text ?? '';

  it('an unknown endpoint is named in its 404 (refusals-8)', async () => {
    const { json } = await ask(world.port, `/${encodeURIComponent(name)}/x`, { key: world.key });
    expect(json).toMatchObject({ error: `Unknown endpoint: ${encodeURIComponent(name)}` });
  });

  it('a variable that is no string is named (commands-2)', async () => {
    const body = command({ variablesSupplementaires: { [name]: 1 } });
    const { json } = await ask(world.port, '/_agent-execution/commands', { key: world.key, body });
    expect(json).toMatchObject({ error: `variablesSupplementaires.${name} must be a string.` });
  });

  it('a session’s name is repeated and stored unchanged, because revocation compares it (workstation-10)', async () => {
    const answer = await ask(world.port, `/ide/sessions/${encodeURIComponent(name)}/standing`, {
      method: 'GET',
      headers: { authorization: `Bearer ${license}` },
    });
    expect(answer.json).toEqual({ session: name, standing: 'in force' });
    await ask(world.port, '/_agent-execution/commands', { key: world.key, body: command({ session: name }) });
    await ask(world.port, '/chat/x', { key: world.key, headers: { 'x-gateway-session': name } });
    const dump = await allRowsOf(world.database.sql);
    expect(dump.get('public.agent_commands')).toContain(name);
    // The decision log compares nothing, so it has the name masked.
    expect(dump.get('public.authorization_decisions')).not.toContain(name);
  });
});
