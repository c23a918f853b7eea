import type { Endpoint, Model, Provider } from '../api/objects.ts';

// What is declared, as the console answers it. A test names only what matters to it.

export const provider = (slug: string, but: Partial<Provider> = {}): Provider => ({
  id: `id-of-${slug}`,
  slug,
  name: `${slug.slice(0, 1).toUpperCase()}${slug.slice(1)}`,
  baseUrl: 'https://engine.example',
  apiKeyEnv: null,
  apiKeyHeader: null,
  clearTextAcknowledged: false,
  ...but,
});

export const model = (slug: string, but: Partial<Model> = {}): Model => ({
  id: `id-of-${slug}`,
  slug,
  name: `${slug.slice(0, 1).toUpperCase()}${slug.slice(1)}`,
  provider: 'id-of-lab',
  inputPrice: 0.000001,
  outputPrice: 0.000002,
  cachedInputPrice: null,
  cacheWritePrice: null,
  ...but,
});

export const endpoint = (name: string, but: Partial<Endpoint> = {}): Endpoint => ({
  id: `id-of-${name}`,
  name,
  model: 'id-of-small',
  standby: null,
  active: true,
  paths: [],
  ...but,
});
