import { once } from 'node:events';
import { createServer as createPlainServer, type IncomingMessage, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@gateway/access/development-authority';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ready, relayOneCall, sentences } from './ready.ts';

const HOSTED: Ready = {
  profile: 'serverless',
  gateway: 'http://127.0.0.1:6001',
  console: 'http://127.0.0.1:6002',
  engine: 'http://127.0.0.1:6003',
  database: { owner: 'postgres://owner', gateway: 'postgres://gateway', console: 'postgres://console' },
  keys: { demo: 'gwk_demo' },
  license: null,
  directory: null,
  consoleSignIn: { user: 'admin', password: 'p1' },
  auditorSignIn: null,
  endpoint: 'demo',
  stateDirectory: '/data',
};
const ON_PREMISE: Ready = {
  ...HOSTED,
  profile: 'on-premise',
  consoleSignIn: { user: 'demo', password: 'p1' },
  auditorSignIn: { user: 'auditor', password: 'p2' },
};
const stepsOf = (ready: Ready) => {
  const lines = sentences(ready, null, `${ready.gateway}/v`, false).split('\n');
  const first = lines.findIndex((line) => line.startsWith('1. '));
  return lines.slice(first, lines.lastIndexOf('Ctrl-C ends everything.') - 1);
};

describe('what a person reads when everything serves', () => {
  it('is four steps, each a line', () => {
    expect(stepsOf(HOSTED).map((line) => line.slice(0, 2))).toEqual(['1.', '2.', '3.', '4.']);
  });
  it('explains the administrator and the auditor where it takes both to see everything', () => {
    const [open, administrator, auditor, neither, call] = stepsOf(ON_PREMISE);
    expect(open).toMatch(/^1\. Open the console .*user demo {3}password p1$/);
    expect(administrator).toContain('The administrator "demo" declares engines, installs policies and grants roles.');
    expect(auditor).toContain('Only an auditor reads the logs and the policy in force: user auditor   password p2');
    expect(neither).toContain('Nobody holds both roles.');
    expect(call).toMatch(/^2\. Make a call/);
  });
  it('says beforehand that the browser warns about the certificate of the demo identity provider', () => {
    const issuer = 'https://127.0.0.1:6004';
    const directory = { issuer, clientId: 'gateway', subject: 'demo-person', authorityFile: '/data/authority.pem' };
    const [, warns, goOn, file] = stepsOf({ ...ON_PREMISE, directory });
    expect(warns?.trim()).toBe(`The browser warns once: the certificate of ${issuer} was made on this machine.`);
    expect(goOn).toContain('let the browser trust its authority:');
    expect(file?.trim()).toBe('/data/authority.pem');
    expect(stepsOf(HOSTED).join('\n')).not.toContain('certificate');
  });
  it('does not mention an auditor if no role was granted', () => {
    expect(stepsOf({ ...ON_PREMISE, endpoint: null, keys: {} }).join('\n')).not.toContain('auditor');
  });
  it('fits a terminal of 120 columns, but for the line to copy', () => {
    const long = stepsOf(ON_PREMISE).filter((line) => line.length > 120 && !line.includes('curl '));
    expect(long).toEqual([]);
  });
});

describe('the first call, as a person reads it', () => {
  const DECISION = {
    sequence: '7',
    at: '2026-01-02T03:04:05.000Z',
    subject: 'demo',
    permission: 'inference:appeler',
    resource: 'endpoint:demo',
    outcome: 'granted',
    reason: 'role',
    roles: ['utilisateur-standard'],
    digest: 'abcdef0123456789',
  };
  /** The lines between the addresses and the steps. */
  const callOf = (call: Parameters<typeof sentences>[1]): string[] => {
    const [, lines = ''] = sentences(HOSTED, call, null, false).split('\n\n');
    return lines.split('\n');
  };

  it('has its status, each line of its answer, and its entry of the decision log', () => {
    expect(callOf({ status: 200, answer: 'Hello,\nperson.\n', decision: DECISION })).toEqual([
      'One call through the endpoint "demo" was answered with 200:',
      '  Hello,',
      '  person.',
      'Decision log: #7 granted to demo, User: “Call endpoints” on endpoint:demo, at 2026-01-02T03:04:05.000Z, digest abcdef012345…',
    ]);
  });

  it('that failed says why, and that there is no entry', () => {
    expect(callOf({ status: null, answer: 'connect ECONNREFUSED', decision: null })).toEqual([
      'One call through the endpoint "demo" could not be made:',
      '  connect ECONNREFUSED',
      'Decision log: no entry',
    ]);
  });

  it('is none if nothing is declared', () => {
    expect(callOf(null)).toEqual(['Nothing is declared (--bare).']);
  });

  it('is followed by no step that is done already', () => {
    expect(sentences(HOSTED, null, null, true)).not.toContain('Connect an engine');
    expect(sentences(HOSTED, null, null, false)).toContain('Connect an engine');
  });

  it('is followed by no step that cannot be done', () => {
    const text = sentences({ ...HOSTED, keys: {}, consoleSignIn: null }, null, null, false);
    expect(text.match(/^\d\. .*$/gm)).toEqual([
      '1. Open the console   http://127.0.0.1:6002',
      '2. Connect an engine  npm start -- --engine http://localhost:11434 --model llama3.2',
    ]);
  });
});

it('a gateway whose certificate is not trusted here ends nothing: the missing answer is explained', async () => {
  const { certificate, key } = createAuthority('of somebody else').certify(['127.0.0.1']);
  const server = createServer({ cert: certificate, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = await relayOneCall(`https://127.0.0.1:${port}`, 'demo', 'gwk_x', 'postgres://nobody@127.0.0.1:1/none');
  expect(call).toEqual({ status: null, answer: expect.stringMatching(/certificate/), decision: null });
  server.close();
});

describe('the first call', () => {
  let database: TestDatabase;
  let server: Server;
  let gateway: string;
  let answer: { readonly status: number; readonly text: string; readonly isCut?: true };
  let asked: { readonly request: IncomingMessage; readonly body: string }[];
  beforeAll(async () => {
    database = await createTestDatabase();
    asked = [];
    server = createPlainServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      request.once('end', () => {
        asked.push({ request, body });
        response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': answer.text.length });
        if (answer.isCut) response.write(answer.text.slice(0, 1), () => response.destroy());
        else response.end(answer.text);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await database.drop();
  });
  const call = () => relayOneCall(gateway, 'demo', 'gwk_key', database.ownerUrl);

  it.each([
    ['what the engine said', { choices: [{ message: { content: 'Hello.' } }] }, 'Hello.'],
    ['an empty text', { choices: [{ message: { content: '' } }] }, ''],
    ['the sentence of a refusal', { error: 'The model is unknown.' }, 'The model is unknown.'],
  ])('shows %s', async (_what, body, shown) => {
    answer = { status: 200, text: JSON.stringify(body) };
    expect(await call()).toEqual({ status: 200, answer: shown, decision: null });
  });

  it.each([
    ['a message without text', '{"choices":[{"message":{"content":null,"tool_calls":[]}}]}'],
    ['a message in parts', '{"choices":[{"message":{"content":[{"type":"text","text":"x"}]}}]}'],
    ['no choice', '{"choices":[]}'],
    ['choices of another kind', '{"choices":{"0":1}}'],
    ['an error as an object', '{"error":{"message":"no"}}'],
    ['null', 'null'],
    ['a list', '[1]'],
    ['no JSON', '<html>Bad gateway</html>'],
    ['nothing', ''],
  ])('shows an answer with %s as it came', async (_what, text) => {
    answer = { status: 502, text };
    expect(await call()).toEqual({ status: 502, answer: text, decision: null });
  });

  it('that is broken off is explained, and ends nothing', async () => {
    answer = { status: 200, text: '{"choices":[]}', isCut: true };
    expect(await call()).toEqual({ status: null, answer: expect.any(String), decision: null });
  });

  it('to a gateway that is not there is explained, and ends nothing', async () => {
    const closed = createPlainServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const outcome = await relayOneCall(`http://127.0.0.1:${port}`, 'demo', 'gwk_key', database.ownerUrl);
    expect(outcome).toEqual({ status: null, answer: expect.stringContaining('ECONNREFUSED'), decision: null });
  });

  it('is made as a client makes it, each with its own request identifier', () => {
    const identifiers = asked.map(({ request: { headers } }) => headers['x-request-id']);
    expect(new Set(identifiers).size).toBe(asked.length);
    expect(asked[0]?.request.headers.authorization).toBe('Bearer gwk_key');
    expect(asked[0]?.request.url).toBe('/demo/v1/chat/completions');
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ model: 'demo', messages: [{ role: 'user' }] });
  });
});
