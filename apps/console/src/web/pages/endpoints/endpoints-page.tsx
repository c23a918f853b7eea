import { Stack } from '@mantine/core';
import { useChoices, useList } from '../../api/list.ts';
import type { Endpoint, Model, Provider } from '../../api/objects.ts';
import { Chain } from './chain.tsx';
import { ConsumptionSection } from './consumption.tsx';
import { EndpointsSection } from './endpoints-section.tsx';
import { ModelsSection } from './models-section.tsx';
import { ProvidersSection } from './providers-section.tsx';

/** What may be called: providers, their models, and the endpoints that name a use of a model, as one chain. */
export function EndpointsPage() {
  const providers = useList<Provider>('/api/providers', 'providers', {}, 'providers');
  const models = useList<Model>('/api/models', 'models', {}, 'models');
  const endpoints = useList<Endpoint>('/api/endpoints', 'endpoints', {}, 'endpoints');
  const everyProvider = useChoices<Provider>('/api/providers', 'providers').rows;
  const everyModel = useChoices<Model>('/api/models', 'models').rows;
  const sections = [
    <EndpointsSection key="endpoints" endpoints={endpoints} models={everyModel} providers={everyProvider} />,
    <ModelsSection key="models" models={models} providers={everyProvider} />,
    <ProvidersSection key="providers" providers={providers} />,
  ];
  // Endpoints come first; before there is one, the first thing to declare.
  const first = endpoints.query.isSuccess && endpoints.rows.length === 0 && endpoints.before === 0;
  return (
    <Stack gap="xl">
      {first && <Chain providers={providers.rows.length} models={models.rows.length} />}
      {first ? sections.toReversed() : sections}
      {!first && <ConsumptionSection />}
    </Stack>
  );
}
