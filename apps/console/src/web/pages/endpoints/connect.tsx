import { legible } from '@gateway/contract/legible';
import { Alert, Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ChangeCall } from '../../api/change.tsx';
import { ApiError, faultsIn, request } from '../../api/request.ts';
import { useOpened } from '../../route/use-search-params.ts';
import { Fault, withoutFields } from '../../ui/fault.tsx';
import { Layer } from '../../ui/layer.tsx';
import { slugOf, ValidatedForm } from '../../ui/validated-form.tsx';
import {
  type ConnectionTest,
  isGood,
  KeyVariable,
  ModelField,
  TestState,
  useConnectionTest,
} from './connection-test.tsx';
import { PRESETS } from './presets.ts';

interface Made {
  readonly provider?: string;
  readonly model?: string;
}

/** Maps names of the API to fields of this form. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  provider: { slug: 'name' },
  model: { slug: 'model', name: 'model' },
  endpoint: { name: 'endpoint' },
};

/** The faults of a part, by the fields of this form. */
const named = (part: string, faults: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(faults).map(([field, said]) => [FIELDS[part]?.[field] ?? field, said]));

/** Stands for the id of what is not declared yet, where its user is checked. */
const UNDECLARED = '00000000-0000-4000-8000-000000000000';

/** Declares a provider, one of its models and an endpoint in one form. Objects already declared stay if a later step fails. */
export function Connect() {
  const [opened, { open, close }] = useOpened('connect');
  const [error, setError] = useState<ApiError | null>(null);
  const [isSending, setIsSending] = useState(false);
  const made = useRef<Made>({});
  const [declared, setDeclared] = useState<{ readonly endpoint: string; readonly model: string } | null>(null);
  const test = useConnectionTest();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: {
      name: '',
      baseUrl: '',
      apiKeyEnv: '',
      apiKeyHeader: '',
      model: '',
      endpoint: '',
      acknowledged: false,
    },
  });
  const isClear = form.values.baseUrl.trim().toLowerCase().startsWith('http://');
  const fill = (kind: string | null) => {
    const preset = PRESETS.find(({ name }) => name === kind);
    if (preset === undefined) return;
    const { name, baseUrl, keyVariable, keyHeader } = preset;
    form.setValues({ name, baseUrl, apiKeyEnv: keyVariable, apiKeyHeader: keyHeader });
  };
  const leave = () => {
    form.reset();
    setError(null);
    setDeclared(null);
    made.current = {};
    close();
  };

  /** What a provider is declared with. */
  const connectionOf = ({ baseUrl, apiKeyEnv, apiKeyHeader, acknowledged }: typeof form.values) => ({
    baseUrl: baseUrl.trim(),
    apiKeyEnv: apiKeyEnv.trim() === '' ? null : apiKeyEnv.trim(),
    ...(apiKeyHeader.trim() === '' ? {} : { apiKeyHeader: apiKeyHeader.trim() }),
    clearTextAcknowledged: isClear && acknowledged,
  });

  /** A test of the engine before anything is declared; null while the form lacks what it needs. */
  const askModels = (): ChangeCall | null => {
    if (form.values.baseUrl.trim() === '') form.setFieldError('baseUrl', 'Fill in this field.');
    else if (isClear && !form.values.acknowledged) form.setFieldError('acknowledged', 'Tick this box to continue.');
    else return { method: 'POST', path: '/api/provider-tests', body: connectionOf(form.values) };
    return null;
  };

  const providerOf = (values: typeof form.values) => ({
    name: values.name,
    slug: slugOf(values.name),
    ...connectionOf(values),
  });
  const modelOf = ({ model }: typeof form.values, provider: string | undefined) => ({
    name: model,
    slug: model,
    provider,
    inputPrice: 0,
    outputPrice: 0,
  });

  /** The faults of all three, before the first is declared. */
  async function check(values: typeof form.values): Promise<Readonly<Record<string, string>>> {
    const found = await Promise.all([
      faultsIn('POST', '/api/providers', providerOf(values)).then((faults) => named('provider', faults)),
      faultsIn('POST', '/api/models', modelOf(values, UNDECLARED)).then((faults) => named('model', faults)),
      faultsIn('POST', '/api/endpoints', { name: values.endpoint, model: UNDECLARED }).then((faults) =>
        named('endpoint', faults),
      ),
    ]);
    return Object.assign({}, ...found);
  }

  async function send(values: typeof form.values): Promise<void> {
    const { model, endpoint } = values;
    let step = 'provider';
    setIsSending(true);
    setError(null);
    try {
      const faults = await check(values);
      if (Object.keys(faults).length > 0) throw new ApiError(400, 'Correct the fields.', faults);
      const make = async (path: string, body: object) => (await request<{ id: string }>('POST', path, body)).id;
      made.current = {
        ...made.current,
        provider: made.current.provider ?? (await make('/api/providers', providerOf(values))),
      };
      step = 'model';
      const { provider } = made.current;
      made.current = {
        ...made.current,
        model: made.current.model ?? (await make('/api/models', modelOf(values, provider))),
      };
      step = 'endpoint';
      await make('/api/endpoints', { name: endpoint, model: made.current.model });
      setDeclared({ endpoint, model });
      test.ask({ method: 'POST', path: `/api/providers/${provider}/test` });
    } catch (caught) {
      const refused = caught instanceof ApiError ? caught : new ApiError(0, String(caught));
      form.setErrors(named(step, refused.fields));
      const before = {
        provider: '',
        model: 'The provider is declared. ',
        endpoint: 'Provider and model are declared. ',
      };
      // The fields have other names here: their faults are beside them.
      const said = withoutFields(refused, Object.keys({ ...FIELDS[step], ...form.values }))?.message ?? refused.message;
      setError(new ApiError(refused.status, `${before[step as keyof typeof before]}${said}`));
    } finally {
      setIsSending(false);
      await queries.invalidateQueries();
    }
  }

  return (
    <>
      <Button onClick={open}>Connect an engine</Button>
      <Layer
        opened={opened}
        close={leave}
        title="Connect an engine"
        size="lg"
        closeOnClickOutside={declared !== null || !form.isDirty()}
        isBusy={() => isSending}
      >
        {declared !== null && <Declared {...declared} test={test} leave={leave} />}
        {declared === null && (
          <ValidatedForm form={form} submit={(values) => void send(values)} check={check} error={error}>
            <Stack>
              <Text size="sm" c="dimmed">
                Declares a provider, one of its models and an endpoint at once, without prices. All of them can be
                changed afterwards.
              </Text>
              <Select
                label="Kind of engine"
                description="Fills in the address and the key's variable. Replace words in capitals, such as RESOURCE."
                placeholder="Another one"
                searchable
                clearable
                data={PRESETS.map(({ name }) => name)}
                onChange={fill}
              />
              <TextInput
                label="Name of the engine"
                placeholder="Research cluster"
                required
                data-autofocus
                {...form.getInputProps('name')}
              />
              <TextInput
                label="Base URL"
                placeholder="https://engine.internal:8000"
                required
                {...form.getInputProps('baseUrl')}
              />
              <VersionTwice baseUrl={form.values.baseUrl} />
              {isClear && (
                <Checkbox
                  label="I acknowledge that traffic to this provider travels in clear text."
                  required
                  {...form.getInputProps('acknowledged', { type: 'checkbox' })}
                />
              )}
              <TextInput
                label="Key variable"
                description="Name of the gateway's environment variable that holds the provider's key. Empty when the engine needs none."
                {...form.getInputProps('apiKeyEnv')}
              />
              <KeyVariable name={form.values.apiKeyEnv.trim()} />
              {form.values.apiKeyEnv.trim() !== '' && (
                <TextInput
                  label="Key header"
                  description="Header in which the key is sent. Empty means authorization, with Bearer before the key."
                  {...form.getInputProps('apiKeyHeader')}
                />
              )}
              <ModelField
                key={[form.values.baseUrl, form.values.apiKeyEnv, form.values.apiKeyHeader].join(' ')}
                label="Model"
                description="As the engine names it at /v1/models."
                ask={askModels}
                {...form.getInputProps('model')}
              />
              <TextInput
                label="Endpoint"
                description="The first segment of the address that callers use."
                placeholder="chat"
                required
                {...form.getInputProps('endpoint')}
              />
              <Fault error={error} />
              {made.current.provider !== undefined && error !== null && (
                <Alert color="yellow" variant="light" role="status">
                  <Text size="sm">Correct these fields and continue: nothing is declared twice.</Text>
                </Alert>
              )}
              <Button type="submit" loading={isSending} style={{ alignSelf: 'flex-end' }}>
                Connect
              </Button>
            </Stack>
          </ValidatedForm>
        )}
      </Layer>
    </>
  );
}

/** The end of the form: the endpoint counts as ready once its engine answered a gateway. */
function Declared({
  endpoint,
  model,
  test,
  leave,
}: {
  readonly endpoint: string;
  readonly model: string;
  readonly test: ConnectionTest;
  readonly leave: () => void;
}) {
  const { found } = test;
  const listed = found?.models ?? [];
  return (
    <Stack>
      <Text role="status" fw={600}>
        {found !== undefined && isGood(found) ? `/${endpoint} is ready to be called.` : `/${endpoint} is declared.`}
      </Text>
      <TestState test={test} lists={false} />
      {listed.length > 0 && !listed.includes(model) && (
        <Alert color="yellow" variant="light" title="The engine does not list this model">
          <Text size="sm">{`It lists ${listed.length} models, and ${legible(model)} is not among them. Edit the model where calls are answered 404.`}</Text>
        </Alert>
      )}
      <Group justify="flex-end">
        <Button onClick={leave} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

/** A warning for a Base URL that ends in a version, as the documents of most engines print it. */
export function VersionTwice({ baseUrl }: { baseUrl: string }) {
  if (!/\/v\d+\/?$/.test(baseUrl.trim())) return null;
  return (
    <Alert color="yellow" variant="light" role="status" title="The address may have the version twice">
      <Text size="sm">
        Clients mostly ask for /v1/chat/completions, which is appended to the Base URL. With /v1 at its end, callers
        have to leave the version out.
      </Text>
    </Alert>
  );
}
