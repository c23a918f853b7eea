import { legible } from '@gateway/contract/legible';
import { Badge, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { correction, deletion } from '../../api/change.tsx';
import type { List } from '../../api/list.ts';
import type { Provider, ProviderHealth } from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import { useOpened } from '../../route/use-search-params.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ReadFault } from '../../ui/fault.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import type { Dialog } from '../../ui/layer.tsx';
import { Clamped, Named } from '../../ui/named.tsx';
import { count } from '../../ui/numbers.ts';
import { StatusBadge } from '../../ui/outcome.tsx';
import { Edit, Section } from '../../ui/section.tsx';
import { inWords } from '../../ui/time.tsx';
import { useEditing } from '../../ui/use-editing.ts';
import { nameWithSlug } from '../../ui/validated-form.tsx';
import { Connect, VersionTwice } from './connect.tsx';
import { KeyVariable, TestConnection, useKeyVariables } from './connection-test.tsx';

/** What a provider answered last, and what failed in the last hour; a dash where that is not known. */
function Health({ of }: { of: ProviderHealth | undefined }) {
  if (of?.last == null)
    return (
      <Text size="xs" c="dimmed">
        {of === undefined ? '–' : 'no call yet'}
      </Text>
    );
  const { last, lastFailure, failedLastHour, callsLastHour } = of;
  const failed = `${count(failedLastHour)} of ${count(callsLastHour)} failed in the last hour`;
  const fault = lastFailure?.fault == null ? '' : `; the last failure: ${legible(lastFailure.fault)}`;
  return (
    <Stack gap={2} miw={200}>
      <Group gap={6} wrap="nowrap">
        <StatusBadge status={last.status} />
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {inWords(new Date(last.at))}
        </Text>
      </Group>
      <Clamped size="xs" c={failedLastHour > 0 ? 'red' : 'dimmed'}>
        {`${failed}${fault}`}
      </Clamped>
    </Stack>
  );
}

export function ProvidersSection({ providers, search = '' }: { providers: List<Provider>; search?: string }) {
  const [opened, { open, close }] = useOpened('provider');
  const { edited, edit } = useEditing<Provider>();
  const read = useRead<{ health: readonly ProviderHealth[] }>('/api/providers/health');
  const variables = useKeyVariables();
  const health = new Map(read.data?.health.map((one) => [one.provider, one]));
  return (
    <Section
      title="Providers"
      about="The inference engines behind this gateway. Their keys stay in the gateway's environment; only the variable's name is kept here."
      actions={
        <>
          <Connect />
          <Button variant="default" onClick={open}>
            Declare a provider
          </Button>
        </>
      }
    >
      <ProviderForm opened={opened} close={close} provider={null} />
      {edited !== null && <ProviderForm key={edited.opening} {...edited.dialog} provider={edited.thing} />}
      <ReadFault of={[read, variables]} part="the last answers and the keys of the providers" />
      <DataTable
        label="Providers"
        minWidth={900}
        list={providers}
        usual="slug"
        rowKey={({ id }) => id}
        empty={
          search !== '' ? (
            <Text size="sm">No provider matches “{search}”.</Text>
          ) : (
            <>
              <Text fw={600}>No provider yet</Text>
              <Text size="sm" c="dimmed">
                Any service that speaks the chat-completions API: llama.cpp, vLLM, Ollama, or a hosted one.
              </Text>
              <Button variant="light" onClick={open}>
                Declare the first provider
              </Button>
            </>
          )
        }
        columns={[
          { title: 'Name', sort: 'name', cell: ({ name, slug }) => <Named name={name} slug={slug} /> },
          {
            title: 'Base URL',
            sort: 'baseUrl',
            cell: ({ baseUrl }) => (
              <Group gap={6} wrap="nowrap" miw={200}>
                <Clamped lines={2} ff="monospace" size="xs" style={{ wordBreak: 'break-all' }}>
                  {baseUrl}
                </Clamped>
                {baseUrl.startsWith('http://') && (
                  <Badge size="xs" color="yellow" variant="light" style={{ flexShrink: 0 }}>
                    clear text
                  </Badge>
                )}
              </Group>
            ),
          },
          {
            title: 'Key',
            sort: 'apiKeyEnv',
            cell: ({ apiKeyEnv, apiKeyHeader }) =>
              apiKeyEnv === null ? (
                <Text size="sm" c="dimmed">
                  none
                </Text>
              ) : (
                <Stack gap={2} miw="clamp(240px, 22vw, 290px)">
                  <Clamped size="xs">{`${apiKeyEnv} in ${apiKeyHeader ?? 'authorization'}`}</Clamped>
                  <KeyVariable name={apiKeyEnv} isShort />
                </Stack>
              ),
          },
          { title: 'Last answer (UTC)', cell: ({ slug }) => <Health of={health.get(slug)} /> },
          {
            title: 'Actions',
            align: 'actions',
            cell: (provider) => (
              <Group gap={4} justify="flex-end" wrap="nowrap">
                <TestConnection provider={provider} />
                <Edit of={`provider ${provider.name}`} open={() => edit(provider)} />
                <Confirm
                  label="Delete"
                  title={`Delete provider ${provider.name}`}
                  consequence="The provider is removed from the catalog. A provider that a model still refers to cannot be deleted."
                  change={() => deletion(`Provider ${provider.name}`, '/api/providers', provider)}
                />
              </Group>
            ),
          },
        ]}
      />
    </Section>
  );
}

const blank = (text: string): string | null => (text.trim() === '' ? null : text.trim());
const isClear = (baseUrl: string): boolean => baseUrl.trim().toLowerCase().startsWith('http://');

interface ProviderValues {
  readonly name: string;
  readonly slug: string;
  readonly baseUrl: string;
  readonly apiKeyEnv: string;
  readonly apiKeyHeader: string;
  readonly clearTextAcknowledged: boolean;
}

/** An acknowledgement is given for an address in the clear; one that is encrypted takes it back. */
const bodyOf = ({ apiKeyEnv, apiKeyHeader, clearTextAcknowledged, ...values }: ProviderValues) => ({
  ...values,
  apiKeyEnv: blank(apiKeyEnv),
  apiKeyHeader: blank(apiKeyHeader),
  clearTextAcknowledged: isClear(values.baseUrl) && clearTextAcknowledged,
});

function ProviderForm({ provider, ...dialog }: { provider: Provider | null } & Dialog) {
  const began = {
    name: provider?.name ?? '',
    slug: provider?.slug ?? '',
    baseUrl: provider?.baseUrl ?? '',
    apiKeyEnv: provider?.apiKeyEnv ?? '',
    apiKeyHeader: provider?.apiKeyHeader ?? '',
    clearTextAcknowledged: provider?.clearTextAcknowledged ?? false,
  };
  const form = useForm({ initialValues: began });
  return (
    <FormModal
      {...dialog}
      title={provider === null ? 'Declare a provider' : `Edit provider ${provider.name}`}
      submit={provider === null ? 'Declare' : 'Save'}
      form={form}
      change={(values) =>
        provider === null
          ? { method: 'POST', path: '/api/providers', body: bodyOf(values), done: `Provider ${values.name} declared.` }
          : correction(`Provider ${values.name}`, `/api/providers/${provider.id}`, bodyOf(began), bodyOf(values))
      }
    >
      <TextInput
        label="Name"
        placeholder="Engine of the research team"
        required
        data-autofocus
        {...form.getInputProps('name')}
        {...(provider === null ? nameWithSlug(form) : {})}
      />
      <TextInput
        label="Slug"
        description="Its identifier, by which an organization's policy names it."
        placeholder="research"
        required
        {...form.getInputProps('slug')}
      />
      <TextInput
        label="Base URL"
        description="The rest of a caller's path, such as /v1/chat/completions, is appended unchanged."
        placeholder="https://engine.internal:8000"
        required
        {...form.getInputProps('baseUrl')}
      />
      <VersionTwice baseUrl={form.values.baseUrl} />
      {isClear(form.values.baseUrl) && (
        <Checkbox
          label="I acknowledge that traffic to this provider travels in clear text."
          {...form.getInputProps('clearTextAcknowledged', { type: 'checkbox' })}
        />
      )}
      <TextInput
        label="Key variable"
        description="Name of the gateway's environment variable that holds the provider's key. Empty when the engine needs none."
        placeholder="RESEARCH_ENGINE_KEY"
        {...form.getInputProps('apiKeyEnv')}
      />
      <KeyVariable name={form.values.apiKeyEnv.trim()} />
      <TextInput
        label="Key header"
        description="Header in which the key is set. Empty means authorization, with Bearer before the key."
        placeholder="authorization"
        {...form.getInputProps('apiKeyHeader')}
      />
    </FormModal>
  );
}
