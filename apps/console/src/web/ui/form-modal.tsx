import { Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { type Change, useChange } from '../api/change.ts';
import { Fault, unplaced } from './fault.tsx';
import { type Dialog, Layer } from './layer.tsx';

export interface FormModalProps<Values, Answer> extends Dialog {
  readonly title: string;
  readonly submit: string;
  readonly form: UseFormReturnType<Values>;
  /** What is sent; null where nothing was changed that could be. */
  readonly change: (values: Values) => Change | null;
  readonly onDone?: (answer: Answer) => void;
  readonly children: ReactNode;
}

/** A form in a dialog. A fault of the API is shown at its field where it names one, else above the buttons; nothing typed is lost. */
export function FormModal<Values extends Record<string, unknown>, Answer>(props: FormModalProps<Values, Answer>) {
  const { mutate, isPending, isUnderWay, error, reset } = useChange<Answer>();
  // An answer that somebody needs, such as a key that is shown once, must not be lost.
  const waits = isPending && props.onDone !== undefined;
  const leave = () => {
    reset();
    props.form.reset();
    props.close();
  };
  return (
    <Layer
      opened={props.opened}
      close={leave}
      onExited={props.onExited}
      isBusy={() => props.onDone !== undefined && isUnderWay()}
      title={props.title}
      size="lg"
    >
      <form
        onSubmit={props.form.onSubmit((values) => {
          const change = props.change(values);
          if (change === null) return leave();
          mutate(change, {
            onSuccess: (answer) => {
              leave();
              props.onDone?.(answer);
            },
            onError: ({ fields }) => props.form.setErrors(fields),
          });
        })}
      >
        <Stack>
          {props.children}
          <Fault error={unplaced(error, Object.keys(props.form.values))} />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave} disabled={waits}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {props.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Layer>
  );
}
