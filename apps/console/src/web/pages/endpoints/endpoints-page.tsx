import { Stack } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { Endpoint, Model, Provider } from '../../api/objects.ts';
import { Chain } from './chain.tsx';
import { EndpointsSection } from './endpoints-section.tsx';
import { ModelsSection } from './models-section.tsx';
import { ProvidersSection } from './providers-section.tsx';

/** What may be called: providers, their models, and the endpoints that name a use of a model, as one chain. */
export function EndpointsPage() {
  const providers = useList<Provider>('/api/providers', 'providers');
  const models = useList<Model>('/api/models', 'models');
  const endpoints = useList<Endpoint>('/api/endpoints', 'endpoints');
  return (
    <Stack gap="xl">
      <Chain
        providers={providers.rows.length}
        models={models.rows.length}
        endpoints={endpoints.rows.length}
        loaded={endpoints.query.isSuccess}
      />
      <EndpointsSection endpoints={endpoints} models={models.rows} providers={providers.rows} />
      <ModelsSection models={models} providers={providers.rows} />
      <ProvidersSection providers={providers} />
    </Stack>
  );
}
