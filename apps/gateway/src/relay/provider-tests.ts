import { sentenceOf } from '@gateway/contract';
import type { ProviderTest, ProviderTestResult } from '@gateway/database/gateway';
import { failureSentence } from '../upstream/failure.ts';
import type { Upstreams } from '../upstream/upstreams.ts';
import { type ProviderKeys, providerKeyHeader } from './request/provider-key.ts';
import { keyMaskOf } from './response/key-mask.ts';

/** Milliseconds between two looks for a request, and for one test. */
const LOOK = 2000;
const BUDGET = 10_000;
/** Bounds of a result: bytes of an answer, models, and characters of a model's name. */
const MOST_BYTES = 1_000_000;
const MOST_MODELS = 200;
const MOST_CHARACTERS = 200;

export interface ProviderTestPorts {
  readonly take: () => Promise<ProviderTest | null>;
  readonly finish: (id: string, result: ProviderTestResult) => Promise<void>;
  readonly upstreams: Upstreams;
  readonly providerKeys: ProviderKeys;
  readonly clientCertificate: boolean;
}

/** The models that an engine lists in the form of the models API; empty for any other form. */
function modelsIn(text: string): string[] {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    if (!Array.isArray(data)) return [];
    const ids = data.map((model: unknown) => (model as { id?: unknown } | null)?.id);
    return ids
      .filter((id): id is string => typeof id === 'string' && id.length <= MOST_CHARACTERS && id.isWellFormed())
      .filter((id) => !id.includes('\0'))
      .slice(0, MOST_MODELS);
  } catch {
    return [];
  }
}

/** Requests a provider's models, with its key and over the same connection as calls. */
async function test({ provider }: ProviderTest, ports: ProviderTestPorts): Promise<ProviderTestResult> {
  const refused = (fault: string): ProviderTestResult => ({ status: null, fault, models: [] });
  const { upstreams, providerKeys, clientCertificate } = ports;
  const key = providerKeyHeader(provider, providerKeys);
  if (key !== null && 'code' in key) return refused(sentenceOf(key));
  const upstream = upstreams.of(provider.baseUrl);
  if (upstream === null) return refused('The Base URL cannot be used: correct it.');
  const mask = keyMaskOf(provider.apiKeyEnv === null ? null : providerKeys(provider.apiKeyEnv));
  const masked = (text: string): string => mask?.text(text) ?? text;
  // A Base URL may end in the version, or leave it to callers.
  const path = /\/v\d+\/?$/.test(provider.baseUrl) ? '/models' : '/v1/models';
  try {
    const { statusCode, body } = await upstream.dispatcher.request({
      path: upstream.target(path),
      method: 'GET',
      headers: ['accept', 'application/json', ...(key ?? []), ...upstream.headers],
      signal: AbortSignal.timeout(BUDGET),
    });
    let text = '';
    for await (const chunk of body.setEncoding('utf8')) {
      text += String(chunk);
      if (text.length > MOST_BYTES) break;
    }
    return { status: statusCode, fault: null, models: modelsIn(masked(text)) };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return refused(`The provider did not answer within ${BUDGET / 1000} seconds.`);
    const failure = error instanceof Error ? error : new Error(String(error));
    return refused(masked(failureSentence(failure, upstream, clientCertificate)).slice(0, 1000));
  }
}

/** Runs the tests that administrators request through the database. An unavailable database is polled again later. */
export function startProviderTests(ports: ProviderTestPorts): { close(): Promise<void> } {
  let closed = false;
  let running: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      for (let one = await ports.take(); one !== null; one = closed ? null : await ports.take())
        await ports.finish(one.id, await test(one, ports));
    } catch {
      // The database watch reports it.
    }
    if (!closed) timer = setTimeout(next, LOOK).unref();
  };
  const next = (): void => {
    running = look();
  };
  let timer = setTimeout(next, LOOK).unref();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
