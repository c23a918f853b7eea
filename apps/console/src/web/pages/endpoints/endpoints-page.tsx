import { Box, Paper, Stack, Stepper, Text } from '@mantine/core';
import { useChoices, useList } from '../../api/list.ts';
import type { Endpoint, Model, Provider } from '../../api/objects.ts';
import { lazyPage } from '../../ui/lazy-page.tsx';
import { Parts } from '../../ui/parts.tsx';
import { useSearch } from '../../ui/search-field.tsx';
import classes from './chain.module.css';
import { EndpointsSection } from './endpoints-section.tsx';
import { ModelsSection } from './models-section.tsx';
import { ProvidersSection } from './providers-section.tsx';

/** Loaded apart from the catalog: its charts are a tenth of the page's script. */
const ConsumptionSection = lazyPage(() =>
  import('./consumption-section.tsx').then((section) => section.ConsumptionSection),
);

/** The first steps, until there is an endpoint: what is declared already and what comes next. */
function Chain({ providers, models }: { providers: number; models: number }) {
  const step = providers === 0 ? 0 : models === 0 ? 1 : 2;
  return (
    <Paper withBorder p="lg" aria-label="First steps">
      <Stepper active={step} size="sm" mb="sm" classNames={classes}>
        <Stepper.Step label="Provider" description="Where the engine listens" />
        <Stepper.Step label="Model" description="What it serves" />
        <Stepper.Step label="Endpoint" description="The name callers use" />
      </Stepper>
      <Text size="sm" c="dimmed">
        Every call is answered 404 until one provider, one model and one endpoint are declared.{' '}
        {['Begin with the provider.', 'Next, a model of your provider.', 'Last, the endpoint.'][step]}
      </Text>
    </Paper>
  );
}

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
