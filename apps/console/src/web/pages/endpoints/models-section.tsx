import { Anchor, Button, Checkbox, Group, Select, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useForm } from '@mantine/form';
import { correction, deletion } from '../../api/change.tsx';
import type { List } from '../../api/list.ts';
import type { Model, Provider } from '../../api/objects.ts';
import { useOpened } from '../../route/use-search-params.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import type { Dialog } from '../../ui/layer.tsx';
import { Named } from '../../ui/named.tsx';
import { euros, many, perMillion, perToken } from '../../ui/numbers.ts';
import { Edit, Section } from '../../ui/section.tsx';
import { useEditing } from '../../ui/use-editing.ts';
import { DecimalInput, faultOfDecimal, readDecimal } from '../../ui/validated-form.tsx';
import { KeyVariable, ModelField } from './connection-test.tsx';

export function ModelsSection({
  models,
  providers,
  search = '',
}: {
  models: List<Model>;
  providers: readonly Provider[];
  search?: string;
}) {
  const [opened, { open, close }] = useOpened('model');
  const { edited, edit } = useEditing<Model>();
  const none = providers.length === 0;
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  return (
    <Section
      title="Models"
      about="What the engines serve. Prices are euros per million tokens; 0 where nothing is charged. They count for the current month (UTC); closed months keep the prices they ended with."
      actions={
        <Button onClick={open} disabled={none}>
          Declare a model
        </Button>
      }
    >
      <ModelForm opened={opened} close={close} model={null} providers={providers} />
      {edited !== null && (
        <ModelForm key={edited.opening} {...edited.dialog} model={edited.thing} providers={providers} />
      )}
      <DataTable
        label="Models"
        list={models}
        minWidth={900}
        usual="slug"
        rowKey={({ id }) => id}
        empty={
          search !== '' ? (
            <Text size="sm">No model matches “{search}”.</Text>
          ) : (
            <>
              <Text fw={600}>No model yet</Text>
              <Text size="sm" c="dimmed">
                {none ? (
                  <>
                    <Anchor href="#endpoints?open=provider" inherit underline="always">
                      Declare a provider
                    </Anchor>{' '}
                    first: a model belongs to one.
                  </>
                ) : (
                  'Its slug must be one the engine lists at /v1/models.'
                )}
              </Text>
              {!none && (
                <Button variant="light" onClick={open}>
                  Declare the first model
                </Button>
              )}
            </>
          )
        }
        columns={[
          { title: 'Name', sort: 'name', cell: ({ name, slug }) => <Named name={name} slug={slug} /> },
          { title: 'Provider', sort: 'provider', cell: ({ provider }) => names.get(provider) ?? provider },
          {
            title: 'Input, per million',
            sort: 'inputPrice',
            align: 'right',
            cell: ({ inputPrice }) => euros(perMillion(inputPrice)),
          },
          { title: 'Cached input', align: 'right', cell: ({ cachedInputPrice }) => optionalPrice(cachedInputPrice) },
          { title: 'Cache write', align: 'right', cell: ({ cacheWritePrice }) => optionalPrice(cacheWritePrice) },
          {
            title: 'Output, per million',
            sort: 'outputPrice',
            align: 'right',
            cell: ({ outputPrice }) => euros(perMillion(outputPrice)),
          },
          {
            title: 'Actions',
            align: 'actions',
            cell: (model) => (
              <Group gap={4} justify="flex-end" wrap="nowrap">
                <Edit of={`model ${model.name}`} open={() => edit(model)} />
                <Confirm
                  label="Delete"
                  title={`Delete model ${model.name}`}
                  consequence="The model is removed from the catalog. A model that an endpoint still serves cannot be deleted. Usage records keep its name."
                  change={() => deletion(`Model ${model.name}`, '/api/models', declared(model))}
                />
              </Group>
            ),
          },
        ]}
      />
    </Section>
  );
}

/** The members that a declaration has: answers have the unit of the prices too. */
const declared = ({ id, slug, name, provider, ...prices }: Model) => {
  const { inputPrice, outputPrice, cachedInputPrice, cacheWritePrice } = prices;
  return { id, slug, name, provider, inputPrice, outputPrice, cachedInputPrice, cacheWritePrice };
};

/** Without a separate price, the input price counts. */
const optionalPrice = (price: number | null) =>
  price === null ? (
    <Text size="sm" c="dimmed">
      as input
    </Text>
  ) : (
    euros(perMillion(price))
  );

type ModelValues = {
  readonly name: string;
  readonly slug: string;
  readonly provider: string;
  /** Euros per million tokens. */
  readonly inputPrice: number | string;
  readonly outputPrice: number | string;
  /** Empty: the input price. */
  readonly cachedInputPrice: number | string;
  readonly cacheWritePrice: number | string;
};

const required = (price: number | string) => perToken(readDecimal(price) ?? 0);
const optional = (price: number | string) => (price === '' ? null : required(price));

const bodyOf = ({ inputPrice, outputPrice, cachedInputPrice, cacheWritePrice, ...values }: ModelValues) => ({
  ...values,
  inputPrice: required(inputPrice),
  outputPrice: required(outputPrice),
  cachedInputPrice: optional(cachedInputPrice),
  cacheWritePrice: optional(cacheWritePrice),
});

const shownPrice = (price: number | null | undefined) => (price == null ? '' : perMillion(price));

function ModelForm({ model, providers, ...dialog }: { model: Model | null; providers: readonly Provider[] } & Dialog) {
  const began: ModelValues = {
    name: model?.name ?? '',
    slug: model?.slug ?? '',
    provider: model?.provider ?? '',
    inputPrice: perMillion(model?.inputPrice ?? 0),
    outputPrice: perMillion(model?.outputPrice ?? 0),
    cachedInputPrice: shownPrice(model?.cachedInputPrice),
    cacheWritePrice: shownPrice(model?.cacheWritePrice),
  };
  const form = useForm({
    initialValues: began,
    validate: {
      inputPrice: faultOfDecimal,
      outputPrice: faultOfDecimal,
      cachedInputPrice: faultOfDecimal,
      cacheWritePrice: faultOfDecimal,
    },
  });
  const { inputPrice, outputPrice, cachedInputPrice, cacheWritePrice } = form.values;
  const highest = Math.max(
    ...[inputPrice, outputPrice, cachedInputPrice, cacheWritePrice].map((price) => readDecimal(price) ?? 0),
  );
  const provider = form.values.provider || (providers[0]?.id ?? '');
  return (
    <FormModal
      {...dialog}
      title={model === null ? 'Declare a model' : `Edit model ${model.name}`}
      submit={model === null ? 'Declare' : 'Save'}
      form={form}
      change={(values) =>
        model === null
          ? {
              method: 'POST',
              path: '/api/models',
              body: bodyOf({ ...values, provider }),
              done: `Model ${values.name} declared.`,
            }
          : correction(`Model ${values.name}`, `/api/models/${model.id}`, bodyOf(began), bodyOf(values))
      }
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      {model === null && (
        <Select
          label="Provider"
          required
          allowDeselect={false}
          {...many(providers.map(({ id, name }) => ({ value: id, label: name })))}
          {...form.getInputProps('provider')}
          value={provider}
        />
      )}
      <KeyVariable name={providers.find(({ id }) => id === provider)?.apiKeyEnv ?? ''} />
      <ModelField
        key={provider}
        label="Slug"
        description="Sent to the engine instead of the caller's model."
        ask={() => ({ method: 'POST', path: `/api/providers/${provider}/test` })}
        onChoose={(chosen) => form.values.name === '' && form.setFieldValue('name', chosen)}
        {...form.getInputProps('slug')}
      />
      <Price label="Input price" {...form.getInputProps('inputPrice')} />
      <Price label="Output price" {...form.getInputProps('outputPrice')} />
      <Price
        label="Cached input price"
        description="Of input read from a prompt cache. Empty: the input price."
        required={false}
        {...form.getInputProps('cachedInputPrice')}
      />
      <Price
        label="Cache write price"
        description="Of input written to a prompt cache. Empty: the input price."
        required={false}
        {...form.getInputProps('cacheWritePrice')}
      />
      {highest > HIGHEST_USUAL && (
        <Checkbox
          required
          label={`${euros(highest)} per million tokens is correct.`}
          description={`That is ${euros(perToken(highest))} for each token, and unusual. The field takes the price of a million tokens.`}
        />
      )}
      {model !== null && (
        <Text size="sm" c="dimmed">
          A new price counts for the whole current month (UTC): calls made before the change are counted at it too.
          Closed months keep the prices they ended with.
        </Text>
      )}
    </FormModal>
  );
}

/** Above this, a price is confirmed: it is probably one of another unit. Euros per million tokens. */
const HIGHEST_USUAL = 10_000;

/** Euros per million tokens, with as many decimals as a price may have. */
function Price({ description, ...props }: TextInputProps) {
  const unit = 'Euros per million tokens.';
  return (
    <DecimalInput
      description={
        description === undefined ? (
          unit
        ) : (
          <>
            {unit} {description}
          </>
        )
      }
      rightSection="€"
      required
      {...props}
    />
  );
}
