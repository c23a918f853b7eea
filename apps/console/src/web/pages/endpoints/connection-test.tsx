import { legible } from '@gateway/contract/legible';
import {
  Alert,
  Autocomplete,
  Badge,
  Button,
  Code,
  Group,
  Loader,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChangeCall, useChange } from '../../api/change.tsx';
import type { KeyVariableReport, Provider, ProviderTest } from '../../api/objects.ts';
import { type ApiError, request, useRead } from '../../api/request.ts';
import { Fault } from '../../ui/fault.tsx';
import { Layer, useDialog } from '../../ui/layer.tsx';
import { Clamped } from '../../ui/named.tsx';
import { StatusBadge } from '../../ui/outcome.tsx';
import { inWords } from '../../ui/time.tsx';

/** No gateway takes a request after a minute. */
const WAIT_MILLISECONDS = 75_000;

/** A test that a gateway makes: not asked for, under way, not taken by any gateway, or finished. */
export interface ConnectionTest {
  readonly state: 'none' | 'waiting' | 'late' | 'finished';
  readonly found: ProviderTest | undefined;
  readonly error: ApiError | null;
  /** The request that asks for it. */
  readonly ask: (change: ChangeCall) => void;
}

/** Asks a gateway to test a connection, and reads the result until there is one. */
export function useConnectionTest(): ConnectionTest {
  const asking = useChange<ProviderTest>();
  const id = asking.data?.id ?? null;
  // Read at each answer: whether one is late depends on the time alone.
  const { data, error, dataUpdatedAt } = useQuery<ProviderTest, ApiError>({
    queryKey: ['provider test', id],
    enabled: id !== null,
    queryFn: ({ signal }) => request('GET', `/api/provider-tests/${id}`, undefined, signal),
    refetchInterval: ({ state }) => (state.data?.finishedAt == null ? 1000 : false),
  });
  const fault = asking.error ?? error;
  const state = (): ConnectionTest['state'] => {
    if (fault !== null || (id === null && !asking.isPending)) return 'none';
    if (asking.isPending || data === undefined) return 'waiting';
    if (data.finishedAt !== null) return 'finished';
    return dataUpdatedAt - Date.parse(data.requestedAt) < WAIT_MILLISECONDS ? 'waiting' : 'late';
  };
  const now = state();
  return { state: now, found: now === 'finished' ? data : undefined, error: fault, ask: asking.mutate };
}

/** Whether the engine answered without an error. */
export const isGood = ({ status }: ProviderTest): boolean => status !== null && status < 400;

/** A test that is under way, or what it found. @param lists whether the models are shown */
export function TestState({ test, lists = true }: { test: ConnectionTest; lists?: boolean }) {
  const { state, found, error } = test;
  if (error !== null) return <Fault error={error} />;
  if (state === 'waiting')
    return (
      <Group role="status" gap="sm" wrap="nowrap">
        <Loader size="sm" />
        <Text size="sm">A gateway tests the connection, because only the gateway has the key and the network.</Text>
      </Group>
    );
  if (state === 'late')
    return (
      <Alert color="red" variant="light" role="alert" title="No gateway ran the test">
        <Text size="sm">Check that a gateway of this version runs and reaches this database.</Text>
      </Alert>
    );
  if (found === undefined) return null;
  const { status, fault, models } = found;
  return (
    <Alert color={isGood(found) ? 'teal' : 'red'} variant="light" role="status" title={titleOf(status)}>
      <Stack gap="xs" align="flex-start">
        <StatusBadge status={status} />
        {fault !== null && <Text size="sm">{legible(fault)}</Text>}
        {isGood(found) && (models === null || models.length === 0) && (
          <Text size="sm">It named no models: not every engine answers at /v1/models.</Text>
        )}
        {lists && models !== null && models.length > 0 && (
          <>
            {isGood(found) && <Text size="sm">Models that it serves, by the slug to declare:</Text>}
            {models.map((model) => (
              <Code key={model}>{legible(model)}</Code>
            ))}
          </>
        )}
      </Stack>
    </Alert>
  );
}

function titleOf(status: number | null): string {
  if (status === null) return 'The engine was not reached';
  if (status < 400) return 'The engine answers';
  return status === 401 || status === 403 ? 'The engine refuses the key' : 'The engine answers with an error';
}

/** Requests a test from a gateway, and shows its result. */
export function TestConnection({ provider }: { provider: Provider }) {
  const { opened, made, open, close } = useDialog();
  const test = useConnectionTest();
  const begin = () => {
    open();
    test.ask({ method: 'POST', path: `/api/providers/${provider.id}/test` });
  };
  return (
    <>
      <Button size="compact-sm" variant="subtle" aria-label={`Test connection to ${provider.name}`} onClick={begin}>
        Test
      </Button>
      {made && (
        <Layer opened={opened} close={close} title={`Connection to ${provider.name}`}>
          <TestState test={test} />
        </Layer>
      )}
    </>
  );
}

/** Gateways that are named at most. */
const MOST_NAMED = 3;

/** What the gateways report of one variable. */
interface Reported {
  readonly present: readonly KeyVariableReport[];
  readonly absent: readonly KeyVariableReport[];
}

/** The reports that name a variable: those in force; the old ones where there are no others. */
function reportsOf(name: string, reports: readonly KeyVariableReport[]): Reported & { readonly isOld: boolean } {
  const among = (isOld: boolean): Reported => {
    const some = reports.filter((report) => report.isOld === isOld);
    return {
      present: some.filter(({ present }) => present.includes(name)),
      absent: some.filter(({ absent }) => absent.includes(name)),
    };
  };
  const now = among(false);
  if (now.present.length + now.absent.length > 0) return { ...now, isOld: false };
  return { ...among(true), isOld: true };
}

const namesOf = (reports: readonly KeyVariableReport[]): string => {
  const names = reports.slice(0, MOST_NAMED).map(({ gateway }) => legible(gateway));
  const more = reports.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** Which variables of keys each gateway has. A form shows nothing of it while it is unknown, and the list of providers its fault. */
export const useKeyVariables = () => useRead<{ reports: readonly KeyVariableReport[] }>('/api/providers/key-variables');

/** Whether the gateways have the variable of a key, as they report it: its name, never its value. @param isShort in one line */
export function KeyVariable({ name, isShort = false }: { name: string; isShort?: boolean }) {
  const { data } = useKeyVariables();
  if (name === '' || data === undefined) return null;
  const { present, absent, isOld } = reportsOf(name, data.reports);
  const [latest] = [...absent, ...present];
  const isMissing = absent.length > 0;
  const sentences = [
    ...(isMissing ? [`Missing in the environment of ${namesOf(absent)}.`] : []),
    ...(latest !== undefined && isOld ? [`Last report: ${inWords(new Date(latest.reportedAt))} UTC.`] : []),
    ...(latest === undefined ? ['No gateway has reported this variable yet.'] : []),
  ];
  return (
    <Group gap={6} wrap={isShort ? 'nowrap' : 'wrap'} data-testid="key variable">
      {latest !== undefined && (
        <Badge size="xs" color={isOld ? 'gray' : isMissing ? 'red' : 'teal'} variant="light" style={{ flexShrink: 0 }}>
          {isMissing ? 'not set' : 'set'}
        </Badge>
      )}
      {sentences.length > 0 && (
        <Clamped size="xs" c={isMissing && !isOld ? 'var(--mantine-color-error)' : 'dimmed'} lines={isShort ? 1 : 9}>
          {sentences.join(' ')}
        </Clamped>
      )}
    </Group>
  );
}

/** A field for a model, which a gateway fills with the models that the engine lists. */
export function ModelField({
  ask,
  onChoose,
  ...field
}: Pick<TextInputProps, 'label' | 'description' | 'error' | 'onFocus' | 'onBlur'> & {
  readonly value?: string;
  readonly onChange: (value: string) => void;
  /** The request for a test of the engine; null while the form lacks its address. */
  readonly ask: () => ChangeCall | null;
  /** Called with a model that was chosen of the list. */
  readonly onChoose?: (model: string) => void;
}) {
  const test = useConnectionTest();
  const models = test.found !== undefined && isGood(test.found) ? (test.found.models ?? []) : [];
  const begin = () => {
    const change = ask();
    if (change !== null) test.ask(change);
  };
  return (
    <Stack gap="xs">
      {models.length === 0 ? (
        <TextInput required {...field} onChange={(event) => field.onChange(event.currentTarget.value)} />
      ) : (
        <Autocomplete
          required
          {...field}
          data={models.toSorted()}
          maxDropdownHeight={260}
          limit={200}
          {...(onChoose === undefined ? {} : { onOptionSubmit: onChoose })}
        />
      )}
      <Group gap="sm">
        <Button size="compact-sm" variant="default" loading={test.state === 'waiting'} onClick={begin}>
          List the models of the engine
        </Button>
      </Group>
      {models.length > 0 ? null : <TestState test={test} lists={false} />}
    </Stack>
  );
}
