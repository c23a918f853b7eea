import { Button, Group, Modal, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { type Change, useChange } from '../api/change.ts';
import { ApiError } from '../api/request.ts';
import { Fault } from './fault.tsx';

export interface FormModalProps<Values, Answer> {
  readonly opened: boolean;
  readonly close: () => void;
  readonly title: string;
  readonly submit: string;
  readonly form: UseFormReturnType<Values>;
  readonly change: (values: Values) => Change;
  readonly onDone?: (answer: Answer) => void;
  readonly children: ReactNode;
}

/** What is said above the buttons: the whole of a refusal, or that fields are marked where each of its sentences stands at one. */
function unplaced(error: ApiError | null, values: Readonly<Record<string, unknown>>): ApiError | null {
  const fields = Object.keys(error?.fields ?? {});
  if (error === null || fields.length === 0 || !fields.every((name) => Object.hasOwn(values, name))) return error;
  if (error.status !== 400) return error;
  return new ApiError(
    error.status,
    fields.length === 1 ? 'One field is marked.' : `${fields.length} fields are marked.`,
  );
}

/** A form in a dialog. A fault of the API is shown at its field where it names one, else above the buttons; nothing typed is lost. */
export function FormModal<Values extends Record<string, unknown>, Answer>(props: FormModalProps<Values, Answer>) {
  const { mutate, isPending, error, reset } = useChange<Answer>();
  const leave = () => {
    reset();
    props.form.reset();
    props.close();
  };
  return (
    <Modal opened={props.opened} onClose={leave} title={props.title} size="lg">
      <form
        onSubmit={props.form.onSubmit((values) =>
          mutate(props.change(values), {
            onSuccess: (answer) => {
              leave();
              props.onDone?.(answer);
            },
            onError: ({ fields }) => props.form.setErrors(fields),
          }),
        )}
      >
        <Stack>
          {props.children}
          <Fault error={unplaced(error, props.form.values)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {props.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
