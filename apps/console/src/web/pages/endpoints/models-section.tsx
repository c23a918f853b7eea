import { Button, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { List } from '../../api/list.ts';
import type { Model, Provider } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { many } from '../../ui/many.ts';
import { Named } from '../../ui/named.tsx';
import { euros, perMillion, perToken } from '../../ui/prices.ts';
import { Section } from '../../ui/section.tsx';

export function ModelsSection({ models, providers }: { models: List<Model>; providers: readonly Provider[] }) {
  const [opened, { open, close }] = useDisclosure(false);
  const none = providers.length === 0;
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  return (
    <Section
      title="Models"
      about="What the engines serve. Prices are euros per million tokens; 0 where nothing is charged."
      actions={
        <Button onClick={open} disabled={none}>
          Declare a model
        </Button>
      }
    >
      <ModelForm opened={opened} close={close} providers={providers} />
      <DataTable
        label="Models"
        list={models}
        rowKey={({ id }) => id}
        empty={
          <>
            <Text fw={600}>No model yet</Text>
            <Text size="sm" c="dimmed">
              {none
                ? 'Declare a provider first: a model belongs to one.'
                : 'Its slug must be one the engine lists at /v1/models.'}
            </Text>
            {!none && (
              <Button variant="light" onClick={open}>
                Declare the first model
              </Button>
            )}
          </>
        }
        columns={[
          { title: 'Name', cell: ({ name, slug }) => <Named name={name} slug={slug} /> },
          {
            title: 'Provider',
            cell: ({ provider }) => <Text size="sm">{names.get(provider) ?? provider}</Text>,
          },
          {
            title: 'Input, per million',
            align: 'right',
            cell: ({ inputPrice }) => <Text size="sm">{euros(perMillion(inputPrice))}</Text>,
          },
          {
            title: 'Output, per million',
            align: 'right',
            cell: ({ outputPrice }) => <Text size="sm">{euros(perMillion(outputPrice))}</Text>,
          },
          {
            title: 'Actions',
            align: 'actions',
            cell: ({ id, name }) => (
              <Confirm
                label="Delete"
                title={`Delete model ${name}`}
                consequence="The model is removed from the catalog. A model that an endpoint still serves cannot be deleted. Usage records keep its name."
                change={() => ({ method: 'DELETE', path: `/api/models/${id}`, done: `Model ${name} deleted.` })}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

function ModelForm({
  opened,
  close,
  providers,
}: {
  opened: boolean;
  close: () => void;
  providers: readonly Provider[];
}) {
  const form = useForm({
    initialValues: {
      name: '',
      slug: '',
      provider: '',
      input: 0,
      output: 0,
    },
  });
  const provider = form.values.provider || (providers[0]?.id ?? '');
  return (
    <FormModal
      opened={opened}
      close={close}
      title="Declare a model"
      submit="Declare"
      form={form}
      change={({ input, output, ...values }) => ({
        method: 'POST',
        path: '/api/models',
        body: { ...values, provider, inputPrice: perToken(input), outputPrice: perToken(output) },
        done: `Model ${values.name} declared.`,
      })}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Slug"
        description="Sent to the engine in place of the caller's model."
        required
        {...form.getInputProps('slug')}
      />
      <Select
        label="Provider"
        required
        allowDeselect={false}
        {...many(providers.map(({ id, name }) => ({ value: id, label: name })))}
        {...form.getInputProps('provider')}
        value={provider}
      />
      <NumberInput
        label="Input price"
        description="Euros per million tokens."
        min={0}
        decimalScale={6}
        required
        {...form.getInputProps('input')}
        error={form.errors['inputPrice']}
      />
      <NumberInput
        label="Output price"
        description="Euros per million tokens."
        min={0}
        decimalScale={6}
        required
        {...form.getInputProps('output')}
        error={form.errors['outputPrice']}
      />
    </FormModal>
  );
}
