import { Autocomplete, Button, Group, Stack, TextInput, type TextInputProps } from '@mantine/core';
import type { ChangeCall } from '../../api/change.ts';
import { isGood, TestState, useConnectionTest } from './connection-test.tsx';

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
