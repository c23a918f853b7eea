import { Box, Stack } from '@mantine/core';
import { useChoices, useList } from '../../api/list.ts';
import type { Endpoint, Model, Provider } from '../../api/objects.ts';
import { Parts } from '../../ui/parts.tsx';
import { useSearch } from '../../ui/use-search.tsx';
import { Chain } from './chain.tsx';
import { ConsumptionSection } from './consumption.tsx';
import { EndpointsSection } from './endpoints-section.tsx';
import { ModelsSection } from './models-section.tsx';
import { ProvidersSection } from './providers-section.tsx';

type Of = 'all' | 'endpoints' | 'models' | 'providers';

/** What may be called: providers, their models, and the endpoints that name a use of a model, as one chain or one by one. */
function Catalog({ of }: { of: Of }) {
  const { search, field: input } = useSearch('Search endpoints, models and providers');
  const field = <Box maw={360}>{input}</Box>;
  const filters = { search };
  const providers = useList<Provider>('/api/providers', 'providers', filters, 'providers');
  const models = useList<Model>('/api/models', 'models', filters, 'models');
  const endpoints = useList<Endpoint>('/api/endpoints', 'endpoints', filters, 'endpoints');
  const everyProvider = useChoices<Provider>('/api/providers', 'providers').rows;
  const everyModel = useChoices<Model>('/api/models', 'models').rows;
  const sections = {
    endpoints: (
      <EndpointsSection
        key="endpoints"
        endpoints={endpoints}
        models={everyModel}
        providers={everyProvider}
        search={search}
      />
    ),
    models: <ModelsSection key="models" models={models} providers={everyProvider} search={search} />,
    providers: <ProvidersSection key="providers" providers={providers} search={search} />,
  };
  if (of !== 'all')
    return (
      <Stack gap="lg">
        {field}
        {sections[of]}
      </Stack>
    );
  // Endpoints come first; before there is one, the first thing to declare.
  const first = search === '' && endpoints.query.isSuccess && endpoints.rows.length === 0 && endpoints.before === 0;
  const all = Object.values(sections);
  return (
    <Stack gap="xl">
      {first ? <Chain providers={providers.rows.length} models={models.rows.length} /> : field}
      {first ? all.toReversed() : all}
      {!first && <ConsumptionSection />}
    </Stack>
  );
}

const PARTS = {
  all: { label: 'All', part: () => <Catalog of="all" /> },
  endpoints: { label: 'Endpoints', part: () => <Catalog of="endpoints" /> },
  models: { label: 'Models', part: () => <Catalog of="models" /> },
  providers: { label: 'Providers', part: () => <Catalog of="providers" /> },
  usage: { label: 'Usage', part: ConsumptionSection },
};

/** The endpoints, with what they are made of and how they are used. */
export const EndpointsPage = () => <Parts of="endpoints" label="What to show" parts={PARTS} />;
