import { describe, expect, it } from 'vitest';
import type { Dependencies } from './component.ts';
import { parseOptions } from './options.ts';
import { curlLine, type Ready, relayOneCall } from './ready.ts';
import { hosted, openEngine } from './start-all.ts';
import type { StateDirectory } from './state.ts';

describe('the hosted profile', () => {
  const plan = hosted({ kept: { adminKey: 'gwk_admin', consolePassword: 'p1', demoKey: null } } as StateDirectory);

  it('gives the gateway the key of its first account, and the console its shared pair', () => {
    expect(plan.gateway).toEqual({ ADMIN_API_KEY: 'gwk_admin' });
    expect(plan.console(6002)).toEqual({ ADMIN_USER: 'admin', ADMIN_PASS: 'p1' });
  });

  it('prints what a person signs in with, and nothing of the other profile', () => {
    expect(plan.ready).toEqual({
      keys: { admin: 'gwk_admin' },
      license: null,
      directory: null,
      consoleSignIn: { user: 'admin', password: 'p1' },
      auditorSignIn: null,
    });
  });
});

it('an engine that was asked for is used as it is, without a process of ours', async () => {
  const parsed = parseOptions(
    ['--engine', 'https://engine.example:8443/v1/', '--model', 'llama', '--engine-key-env', 'KEY'],
    '/',
  );
  if (!('options' in parsed)) throw new Error(parsed.text);
  const ending = new AsyncDisposableStack();
  const engine = await openEngine({ options: parsed.options } as Dependencies, ending);
  expect(engine).toEqual({
    name: 'engine.example:8443',
    baseUrl: 'https://engine.example:8443',
    model: 'llama',
    keyEnv: 'KEY',
  });
  await ending.disposeAsync();
});

it('the line for a shell makes the call of the endpoint, with its key and a body of JSON', () => {
  const line = curlLine({ gateway: 'http://127.0.0.1:6001', endpoint: 'demo', keys: { demo: 'gwk_demo' } } as Ready);
  expect(line).toMatch(
    /^curl http:\/\/127\.0\.0\.1:6001\/demo\/v1\/chat\/completions -H 'authorization: Bearer gwk_demo' /,
  );
  const body = /-d '(.*)'$/.exec(line)?.[1] ?? '';
  expect(body).not.toContain("'");
  expect(JSON.parse(body)).toMatchObject({ messages: [{ role: 'user' }] });
});

it('a call that cannot be made is shown with its cause, and has no decision', async () => {
  const call = await relayOneCall('http://127.0.0.1:1', 'demo', 'gwk_demo', 'postgres://owner@127.0.0.1:1/gateway');
  expect(call).toMatchObject({ status: null, decision: null });
  expect(call.answer).toMatch(/\S/);
});
