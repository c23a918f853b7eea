import {
  Anchor,
  Button,
  Group,
  Select,
  type SelectProps,
  Text,
  Textarea,
  type TextareaProps,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { correction, deletion } from '../../api/change.ts';
import type { List } from '../../api/list.ts';
import type { Endpoint, Model, Provider } from '../../api/objects.ts';
import { useOpened } from '../../route/use-search-params.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import type { Dialog } from '../../ui/layer.tsx';
import { Clamped } from '../../ui/named.tsx';
import { type Choice, many } from '../../ui/numbers.ts';
import { InlineSelect, InlineSwitch } from '../../ui/parts.tsx';
import { Edit, Section } from '../../ui/section.tsx';
import { useEditing } from '../../ui/use-editing.ts';
import { Snippets } from './snippets.tsx';

export interface EndpointsSectionProps {
  readonly endpoints: List<Endpoint>;
  readonly models: readonly Model[];
  readonly providers: readonly Provider[];
  /** What the list is searched for. */
  readonly search?: string;
}

export function EndpointsSection({ endpoints, models, providers, search = '' }: EndpointsSectionProps) {
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
            cell: ({ name }) => (
              <Anchor
                size="sm"
                fw={500}
                ff="monospace"
                title={`Decisions on calls to /${name}`}
                href={`#audit/decisions?${new URLSearchParams({ resource: `endpoint:${name}` }).toString()}`}
              >
                /{name}
              </Anchor>
            ),
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

const ENDPOINT_NAME = 'Up to 64 letters, digits, dots, underscores and hyphens; v, ide and _agent-execution are taken.';

/** Paths as entered, one a line. */
const pathsOf = (lines: string): readonly string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

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
