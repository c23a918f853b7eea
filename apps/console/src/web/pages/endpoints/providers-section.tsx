import { Badge, Button, Checkbox, Code, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { List } from '../../api/list.ts';
import type { Provider } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { Named } from '../../ui/named.tsx';
import { Section } from '../../ui/section.tsx';

export function ProvidersSection({ providers }: { providers: List<Provider> }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Section
      title="Providers"
      about="The inference engines behind this gateway. Their keys stay in the gateway's environment; only the variable's name is kept here."
      actions={<Button onClick={open}>Declare a provider</Button>}
    >
      <ProviderForm opened={opened} close={close} />
      <DataTable
        label="Providers"
        list={providers}
        rowKey={({ id }) => id}
        empty={
          <>
            <Text fw={600}>No provider yet</Text>
            <Text size="sm" c="dimmed">
              Any service that speaks the chat-completions API: llama.cpp, vLLM, Ollama, or a hosted one.
            </Text>
            <Button variant="light" onClick={open}>
              Declare the first provider
            </Button>
          </>
        }
        columns={[
          { title: 'Name', cell: ({ name, slug }) => <Named name={name} slug={slug} /> },
          {
            title: 'Base URL',
            cell: ({ baseUrl }) => (
              <>
                <Code>{baseUrl}</Code>{' '}
                {baseUrl.startsWith('http://') && (
                  <Badge size="xs" color="yellow" variant="light">
                    clear text
                  </Badge>
                )}
              </>
            ),
          },
          {
            title: 'Key',
            cell: ({ apiKeyEnv, apiKeyHeader }) =>
              apiKeyEnv === null ? (
                <Text size="sm" c="dimmed">
                  none
                </Text>
              ) : (
                <Text size="sm">
                  <Code>{apiKeyEnv}</Code> in <Code>{apiKeyHeader ?? 'authorization'}</Code>
                </Text>
              ),
          },
          {
            title: 'Actions',
            align: 'actions',
            cell: ({ id, name }) => (
              <Confirm
                label="Delete"
                title={`Delete provider ${name}`}
                consequence="The provider is removed from the catalog. A provider that a model still refers to cannot be deleted."
                change={() => ({ method: 'DELETE', path: `/api/providers/${id}`, done: `Provider ${name} deleted.` })}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

function ProviderForm({ opened, close }: { opened: boolean; close: () => void }) {
  const form = useForm({
    initialValues: { name: '', slug: '', baseUrl: '', apiKeyEnv: '', apiKeyHeader: '', clearTextAcknowledged: false },
  });
  const clear = form.values.baseUrl.trim().toLowerCase().startsWith('http://');
  return (
    <FormModal
      opened={opened}
      close={close}
      title="Declare a provider"
      submit="Declare"
      form={form}
      change={({ apiKeyEnv, apiKeyHeader, clearTextAcknowledged, ...values }) => ({
        method: 'POST',
        path: '/api/providers',
        body: {
          ...values,
          apiKeyEnv: apiKeyEnv.trim() === '' ? null : apiKeyEnv.trim(),
          apiKeyHeader: apiKeyHeader.trim() === '' ? null : apiKeyHeader.trim(),
          clearTextAcknowledged: clear && clearTextAcknowledged,
        },
        done: `Provider ${values.name} declared.`,
      })}
    >
      <TextInput
        label="Name"
        placeholder="Engine of the research team"
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Slug"
        description="Its identifier."
        placeholder="research"
        required
        {...form.getInputProps('slug')}
      />
      <TextInput
        label="Base URL"
        description="The rest of a caller's path is appended to it as it stands."
        placeholder="https://engine.internal:8000"
        required
        {...form.getInputProps('baseUrl')}
      />
      {clear && (
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
      <TextInput
        label="Key header"
        description="Header in which the key is set. Empty means authorization, with Bearer before the key."
        placeholder="authorization"
        {...form.getInputProps('apiKeyHeader')}
      />
    </FormModal>
  );
}
