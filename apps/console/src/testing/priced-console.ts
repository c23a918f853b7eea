import { startTestConsole, type TestConsole } from './console.ts';

/** One record of usage. What it does not say is the same for all. */
interface Used {
  subject: string;
  endpoint?: string;
  model?: 'cheap' | 'dear';
  at?: string;
  input?: number;
  output?: number;
  latency?: number;
  interrupted?: boolean;
  source?: string;
}

/** A console with two models of known prices. */
export interface PricedConsole {
  readonly console: TestConsole;
  /** The ids of the models. */
  readonly models: Readonly<Record<'cheap' | 'dear', string>>;
  /** Records usage as the gateway writes it: the totals follow by themselves. */
  readonly use: (...records: readonly Used[]) => Promise<void>;
}

export async function startPricedConsole(): Promise<PricedConsole> {
  const console = await startTestConsole();
  const provider = await console.pair.create('/api/providers', { slug: 'p', name: 'p', baseUrl: 'https://e.example' });
  const model = async (slug: string, inputPrice: number, outputPrice: number): Promise<string> =>
    (await console.pair.create('/api/models', { slug, name: slug, provider: provider.id, inputPrice, outputPrice })).id;
  const models = { cheap: await model('cheap', 0.001, 0.002), dear: await model('dear', 1, 2) };
  return {
    console,
    models,
    async use(...records) {
      for (const one of records) {
        const slug = one.model ?? 'cheap';
        await console.database.sql`
          insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms, usage_source, interrupted)
          values (gen_random_uuid(), ${one.at ?? new Date().toISOString()}, ${one.subject}, ${one.endpoint ?? 'chat'}, ${slug},
            ${models[slug]}, ${one.input ?? 10}, ${one.output ?? 5}, ${one.latency ?? 100}, ${one.source ?? 'reported'}, ${one.interrupted ?? false})`;
      }
    },
  };
}
