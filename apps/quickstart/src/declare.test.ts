import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { ConsoleClient } from './console-client.ts';
import { declareEndpoint, type Engine } from './start-all.ts';

type Row = Readonly<Record<string, unknown>>;
const DEMO: Engine = { name: 'Demo engine', baseUrl: 'http://127.0.0.1:6003', model: 'demo-model', keyEnv: null };

/** A console in memory, with the changes that it was asked for. */
function consoleWith(rows: Readonly<Record<string, readonly Row[]>> = {}) {
  const stored: Record<string, Row[]> = { providers: [], models: [], endpoints: [] };
  for (const [plural, given] of Object.entries(rows)) stored[plural] = [...given];
  const sent: string[] = [];
  const api: ConsoleClient = {
    list: async <Item>(_path: string, plural: string, row: z.ZodType<Item>) =>
      (stored[plural] ?? []).map((one) => row.parse(one)),
    send: async (method, path, body, answer) => {
      sent.push(`${method} ${path} ${JSON.stringify(body)}`);
      const [, , plural = '', id] = path.split('/');
      const list = (stored[plural] ??= []);
      const made = { id: id ?? `${plural}-${list.length + 1}`, apiKeyEnv: null, ...body };
      if (id === undefined) list.push(made);
      else stored[plural] = list.map((one) => (one['id'] === id ? { ...one, ...body } : one));
      return answer.parse(made);
    },
  };
  return { api, sent, stored };
}

describe('the first endpoint', () => {
  it('is declared with its provider and model, in an order in which each exists', async () => {
    const { api, sent } = consoleWith();
    await declareEndpoint(api, DEMO);
    expect(sent).toEqual([
      'POST /api/providers {"slug":"demo","name":"Demo engine","baseUrl":"http://127.0.0.1:6003","apiKeyEnv":null,"clearTextAcknowledged":true}',
      'POST /api/models {"slug":"demo-model","name":"demo-model","provider":"providers-1","inputPrice":0,"outputPrice":0}',
      'POST /api/endpoints {"name":"demo","model":"models-1"}',
    ]);
  });

  it('is not declared again at the next start', async () => {
    const { api, sent } = consoleWith();
    await declareEndpoint(api, DEMO);
    sent.length = 0;
    await declareEndpoint(api, DEMO);
    expect(sent).toEqual([]);
  });

  it('points to another engine after a start with one, and back again', async () => {
    const { api, sent, stored } = consoleWith();
    const other: Engine = {
      name: 'engine.example',
      baseUrl: 'https://engine.example',
      model: 'llama',
      keyEnv: 'ENGINE_KEY',
    };
    await declareEndpoint(api, DEMO);
    await declareEndpoint(api, other);
    expect(stored['endpoints']).toEqual([expect.objectContaining({ name: 'demo', model: 'models-2' })]);
    expect(stored['providers']?.map((one) => [one['slug'], one['apiKeyEnv'], one['clearTextAcknowledged']])).toEqual([
      ['demo', null, true],
      ['demo-2', 'ENGINE_KEY', false],
    ]);
    sent.length = 0;
    await declareEndpoint(api, DEMO);
    expect(sent).toEqual(['PATCH /api/endpoints/endpoints-1 {"model":"models-1"}']);
  });

  it('is declared no further where the console refuses, and its sentence is passed on', async () => {
    const { api, sent } = consoleWith();
    const refusing: ConsoleClient = {
      ...api,
      send: (method, path, body, answer) =>
        path === '/api/models'
          ? Promise.reject(new Error('The console answered 403 to POST /api/models: no'))
          : api.send(method, path, body, answer),
    };
    await expect(declareEndpoint(refusing, DEMO)).rejects.toThrow('The console answered 403 to POST /api/models: no');
    expect(sent.map((line) => line.split(' ')[1])).toEqual(['/api/providers']);
    await declareEndpoint(api, DEMO);
    expect(sent.map((line) => line.split(' ')[1])).toEqual(['/api/providers', '/api/models', '/api/endpoints']);
  });

  it('leaves what an operator declared: another slug is chosen, an equal provider is used', async () => {
    const own = [1, 2].map((number) => ({
      id: `own-${number}`,
      slug: number === 1 ? 'demo' : `demo-${number}`,
      baseUrl: 'https://own.example',
      apiKeyEnv: null,
    }));
    const taken = consoleWith({ providers: own });
    await declareEndpoint(taken.api, DEMO);
    expect(taken.sent[0]).toContain('"slug":"demo-3"');
    const equal = consoleWith({ providers: [{ id: 'own', slug: 'mine', baseUrl: DEMO.baseUrl, apiKeyEnv: null }] });
    await declareEndpoint(equal.api, DEMO);
    expect(equal.sent.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'POST /api/models',
      'POST /api/endpoints',
    ]);
  });

  it('has a new provider if the key is in another variable, and a new model for another provider', async () => {
    const { api, stored } = consoleWith({
      providers: [{ id: 'p', slug: 'demo', baseUrl: DEMO.baseUrl, apiKeyEnv: 'OLD_KEY' }],
      models: [{ id: 'm', slug: 'demo-model', provider: 'p' }],
    });
    await declareEndpoint(api, DEMO);
    expect(stored['models']).toHaveLength(2);
    expect(stored['endpoints']).toEqual([expect.objectContaining({ model: 'models-2' })]);
  });
});
