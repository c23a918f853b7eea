import * as z from 'zod';
import type { ConsoleClient } from './console-client.ts';

const ID = z.object({ id: z.string() });
const PROVIDER = z.object({
  id: z.string(),
  slug: z.string(),
  baseUrl: z.string(),
  apiKeyEnv: z.string().nullable(),
});
const MODEL = z.object({ id: z.string(), slug: z.string(), provider: z.string() });
const ENDPOINT = z.object({ id: z.string(), name: z.string(), model: z.string() });

/** The endpoint that `npm start` declares. */
export const ENDPOINT_NAME = 'demo';

export interface Engine {
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly keyEnv: string | null;
}

function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
}

async function provider(api: ConsoleClient, engine: Engine): Promise<string> {
  const there = await api.list('/api/providers', 'providers', PROVIDER);
  const same = there.find(({ baseUrl, apiKeyEnv }) => baseUrl === engine.baseUrl && apiKeyEnv === engine.keyEnv);
  if (same) return same.id;
  const made = await api.send(
    'POST',
    '/api/providers',
    {
      slug: freeSlug('demo', new Set(there.map(({ slug }) => slug))),
      name: engine.name,
      baseUrl: engine.baseUrl,
      apiKeyEnv: engine.keyEnv,
      // A user who passed an http:// address to `npm start` chose it knowingly; the demo engine is on this machine.
      clearTextAcknowledged: engine.baseUrl.startsWith('http://'),
    },
    ID,
  );
  return made.id;
}

async function model(api: ConsoleClient, engine: Engine, providerId: string): Promise<string> {
  const there = await api.list('/api/models', 'models', MODEL);
  const same = there.find((one) => one.slug === engine.model && one.provider === providerId);
  if (same) return same.id;
  const body = { slug: engine.model, name: engine.model, provider: providerId, inputPrice: 0, outputPrice: 0 };
  return (await api.send('POST', '/api/models', body, ID)).id;
}

/**
 * Declares provider, model and endpoint through the console, as an operator would. Existing objects stay; an endpoint that
 * points to another engine is changed to this one.
 */
export async function declareEndpoint(api: ConsoleClient, engine: Engine): Promise<void> {
  const modelId = await model(api, engine, await provider(api, engine));
  const there = await api.list('/api/endpoints', 'endpoints', ENDPOINT);
  const endpoint = there.find(({ name }) => name === ENDPOINT_NAME);
  if (!endpoint) await api.send('POST', '/api/endpoints', { name: ENDPOINT_NAME, model: modelId }, ID);
  else if (endpoint.model !== modelId) await api.send('PATCH', `/api/endpoints/${endpoint.id}`, { model: modelId }, ID);
}
