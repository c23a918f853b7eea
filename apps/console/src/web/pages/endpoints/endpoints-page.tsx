import {
  Anchor,
  Box,
  Button,
  Group,
  Paper,
  Select,
  type SelectProps,
  Stack,
  Stepper,
  Text,
  Textarea,
  type TextareaProps,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { correction, deletion } from '../../api/change.tsx';
import { type List, useChoices, useList } from '../../api/list.ts';
import type { Endpoint, Model, Provider } from '../../api/objects.ts';
import { useMay } from '../../api/queries.ts';
import { useOpened } from '../../route/use-search-params.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ReadFault } from '../../ui/fault.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import type { Dialog } from '../../ui/layer.tsx';
import { lazyPage } from '../../ui/lazy-page.tsx';
import { Clamped } from '../../ui/named.tsx';
import { type Choice, many } from '../../ui/numbers.ts';
import { InlineSelect, InlineSwitch, Parts } from '../../ui/parts.tsx';
import { useSearch } from '../../ui/search-field.tsx';
import { Edit, Section } from '../../ui/section.tsx';
import { useEditing } from '../../ui/use-editing.ts';
import classes from './chain.module.css';
import { ModelsSection } from './models-section.tsx';
import { ProvidersSection } from './providers-section.tsx';
import { Snippets } from './snippets.tsx';

const ENDPOINT_NAME = 'Up to 64 letters, digits, dots, underscores and hyphens; v, ide and _agent-execution are taken.';

/** Paths as entered, one a line. */
const pathsOf = (lines: string): readonly string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

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
  const providerChoices = useChoices<Provider>('/api/providers', 'providers');
  const modelChoices = useChoices<Model>('/api/models', 'models');
  const [everyProvider, everyModel] = [providerChoices.rows, modelChoices.rows];
  const fault = (
    <ReadFault of={[providerChoices.query, modelChoices.query]} part="the models and providers to choose from" />
  );
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
        {fault}
        {sections[of]}
      </Stack>
    );
  // Endpoints come first; before there is one, the first thing to declare.
  const first = search === '' && endpoints.query.isSuccess && endpoints.rows.length === 0 && endpoints.before === 0;
  const all = Object.values(sections);
  return (
    <Stack gap="xl">
      {first ? <Chain providers={providers.rows.length} models={models.rows.length} /> : field}
      {fault}
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

interface EndpointsSectionProps {
  readonly endpoints: List<Endpoint>;
  readonly models: readonly Model[];
  readonly providers: readonly Provider[];
  /** What the list is searched for. */
  readonly search?: string;
}

function EndpointsSection({ endpoints, models, providers, search = '' }: EndpointsSectionProps) {
  const [opened, { open, close }] = useOpened('endpoint');
  const { edited, edit } = useEditing<Endpoint>();
  const none = models.length === 0;
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  const choices = models.map(({ id, name, provider }) => ({
    value: id,
    label: `${name} · ${names.get(provider) ?? ''}`,
  }));
  const standbysOf = (model: string): readonly Choice[] => {
    const providerOf = (id: string) => models.find((one) => one.id === id)?.provider;
    return choices.filter(({ value }) => providerOf(value) !== providerOf(model));
  };
  return (
    <Section
      title="Endpoints"
      about="The first segment of the address callers use. It names a use, not a model: the model can change and the address stays."
      actions={
        <Button onClick={open} disabled={none}>
          Create an endpoint
        </Button>
      }
    >
      <EndpointForm opened={opened} close={close} choices={choices} standbysOf={standbysOf} />
      {edited !== null && (
        <ChangeForm
          key={edited.opening}
          {...edited.dialog}
          endpoint={edited.thing}
          standbys={standbysOf(edited.thing.model)}
        />
      )}
      <DataTable
        label="Endpoints"
        list={endpoints}
        usual="name"
        rowKey={({ id }) => id}
        minWidth={900}
        empty={
          search !== '' ? (
            <Text size="sm">No endpoint matches “{search}”.</Text>
          ) : (
            <>
              <Text fw={600}>No endpoint yet</Text>
              <Text size="sm" c="dimmed">
                {none ? (
                  <>
                    An endpoint serves a model:{' '}
                    <Anchor href="#endpoints?open=connect" inherit underline="always">
                      declare a provider and a model
                    </Anchor>{' '}
                    first.
                  </>
                ) : (
                  'Everything is ready for the first one.'
                )}
              </Text>
              {!none && (
                <Button variant="light" onClick={open}>
                  Create the first endpoint
                </Button>
              )}
            </>
          )
        }
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ name }) => <EndpointName name={name} />,
          },
          { title: 'Model', sort: 'model', cell: (endpoint) => <ModelChoice endpoint={endpoint} choices={choices} /> },
          { title: 'Paths', cell: ({ paths }) => <Paths paths={paths} /> },
          { title: 'Active', sort: 'active', cell: (endpoint) => <ActiveSwitch endpoint={endpoint} /> },
          {
            title: 'Actions',
            align: 'actions',
            cell: (endpoint) => (
              <Group gap={4} justify="flex-end" wrap="nowrap">
                <Snippets endpoint={endpoint.name} />
                <Edit of={`endpoint ${endpoint.name}`} open={() => edit(endpoint)} />
                <Confirm
                  label="Delete"
                  title={`Delete endpoint ${endpoint.name}`}
                  consequence={`From the next call on, /${endpoint.name} is unknown to callers. To stop it for a while only, make it inactive.`}
                  change={() => deletion(`Endpoint ${endpoint.name}`, '/api/endpoints', endpoint)}
                />
              </Group>
            ),
          },
        ]}
      />
    </Section>
  );
}

/** The name as callers write it, as a link to the decisions on its calls for those who read them. */
function EndpointName({ name }: { name: string }) {
  const look = { size: 'sm', fw: 500, ff: 'monospace' } as const;
  if (useMay('journal:lire') === false) return <Text {...look}>/{name}</Text>;
  const resource = new URLSearchParams({ resource: `endpoint:${name}` });
  return (
    <Anchor {...look} title={`Decisions on calls to /${name}`} href={`#audit/decisions?${resource}`}>
      /{name}
    </Anchor>
  );
}

function ModelChoice({ endpoint, choices }: { endpoint: Endpoint; choices: readonly Choice[] }) {
  const standby = choices.find(({ value }) => value === endpoint.standby);
  return (
    <>
      <InlineSelect
        aria-label={`Model of ${endpoint.name}`}
        w="clamp(260px, 28vw, 360px)"
        choices={choices}
        value={endpoint.model}
        change={(model) => ({
          method: 'PATCH',
          path: `/api/endpoints/${endpoint.id}`,
          body: { model },
          done: `/${endpoint.name} now serves another model.`,
        })}
      />
      {standby && (
        <Text size="xs" c="dimmed" mt={2}>
          Standby: {standby.label}
        </Text>
      )}
    </>
  );
}

function ActiveSwitch({ endpoint }: { endpoint: Endpoint }) {
  return (
    <InlineSwitch
      aria-label={`${endpoint.name} is active`}
      checked={endpoint.active}
      change={() => ({
        method: 'PATCH',
        path: `/api/endpoints/${endpoint.id}`,
        body: { active: !endpoint.active },
        done: endpoint.active
          ? `/${endpoint.name} is refused from the next call on.`
          : `/${endpoint.name} is served again.`,
      })}
    />
  );
}

function Paths({ paths }: Pick<Endpoint, 'paths'>) {
  if (paths.length === 0)
    return (
      <Text size="sm" c="dimmed">
        all
      </Text>
    );
  return (
    <Clamped lines={2} ff="monospace">
      {paths.join(' ')}
    </Clamped>
  );
}

function PathsInput(props: TextareaProps) {
  return (
    <Textarea
      label="Paths"
      description="The paths that callers may use, one per line; empty means all. A leading version such as /v1 is optional. * matches one segment, /* at the end everything below."
      placeholder="/chat/completions"
      autosize
      minRows={2}
      {...props}
    />
  );
}

function StandbyInput({ choices, ...props }: { choices: readonly Choice[] } & Omit<SelectProps, 'data'>) {
  return (
    <Select
      label="Standby"
      description="A model of another provider. It serves a call only if no connection to the first provider can be made; each attempt is decided and recorded."
      placeholder={choices.length === 0 ? 'No model of another provider' : 'None'}
      disabled={choices.length === 0}
      clearable
      {...many(choices)}
      {...props}
    />
  );
}

function ChangeForm({ endpoint, standbys, ...dialog }: { endpoint: Endpoint; standbys: readonly Choice[] } & Dialog) {
  const began = { name: endpoint.name, standby: endpoint.standby, paths: endpoint.paths.join('\n') };
  const form = useForm({ initialValues: began });
  const bodyOf = ({ name, standby, paths }: typeof began) => ({ name, standby, paths: pathsOf(paths) });
  return (
    <FormModal
      {...dialog}
      title={`Edit endpoint ${endpoint.name}`}
      submit="Save"
      form={form}
      change={(values) =>
        correction(`Endpoint /${values.name}`, `/api/endpoints/${endpoint.id}`, bodyOf(began), bodyOf(values))
      }
    >
      <TextInput label="Name" description={ENDPOINT_NAME} required data-autofocus {...form.getInputProps('name')} />
      <Text size="sm" c="dimmed">
        Callers use the name as the first segment of the address: after a change, a caller that still uses /
        {endpoint.name} is answered 404. Policies that name it, and past records, keep the old name.
      </Text>
      <StandbyInput choices={standbys} {...form.getInputProps('standby')} />
      <PathsInput {...form.getInputProps('paths')} />
    </FormModal>
  );
}

interface EndpointFormProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly choices: readonly Choice[];
  readonly standbysOf: (model: string) => readonly Choice[];
}

function EndpointForm({ opened, close, choices, standbysOf }: EndpointFormProps) {
  const form = useForm({ initialValues: { name: '', model: '', standby: null as string | null, paths: '' } });
  const model = form.values.model || (choices[0]?.value ?? '');
  return (
    <FormModal
      opened={opened}
      close={close}
      title="Create an endpoint"
      submit="Create"
      form={form}
      change={(values) => ({
        method: 'POST',
        path: '/api/endpoints',
        body: { ...values, model, paths: pathsOf(values.paths) },
        done: `Endpoint /${values.name} created.`,
      })}
    >
      <TextInput
        label="Name"
        description={ENDPOINT_NAME}
        placeholder="code-review"
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Select
        label="Model"
        required
        allowDeselect={false}
        {...many(choices)}
        {...form.getInputProps('model')}
        value={model}
      />
      <StandbyInput choices={standbysOf(model)} {...form.getInputProps('standby')} />
      <PathsInput {...form.getInputProps('paths')} />
    </FormModal>
  );
}
