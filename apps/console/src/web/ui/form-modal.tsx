import { Button, type ButtonProps, Group, type ModalProps, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { type ChangeCall, useChange } from '../api/change.tsx';
import { faultsIn } from '../api/request.ts';
import { Fault, withoutFields } from './fault.tsx';
import { type Dialog, Layer } from './layer.tsx';
import { ValidatedForm } from './validated-form.tsx';

export interface FormModalProps<Values, Answer> extends Dialog, Pick<ModalProps, 'size' | 'centered'> {
  readonly title: string;
  readonly submit: string;
  /** Of the button that submits. */
  readonly color?: ButtonProps['color'];
  readonly form: UseFormReturnType<Values>;
  /** The request to send; null if nothing was changed. */
  readonly change: (values: Values) => ChangeCall | null;
  readonly onDone?: (answer: Answer) => void;
  readonly onRefused?: () => void;
  /** Where the dialog closes with the answer: called with the reload of the lists. Without it, it closes after the reload. */
  readonly onReload?: (reloaded: Promise<void>) => void;
  readonly children: ReactNode;
}

/** A form in a dialog. A fault of the API is shown at its field where it names one, else above the buttons; nothing typed is lost. */
export function FormModal<Values extends Record<string, unknown>, Answer>({
  submit,
  color = 'indigo',
  form,
  change,
  onDone,
  onRefused,
  onReload,
  close,
  children,
  ...dialog
}: FormModalProps<Values, Answer>) {
  const { mutate, isPending, isUnderWay, error, reset } = useChange<Answer>();
  // An answer that is needed, such as a key that is shown once, must not be lost.
  const waits = isPending && onDone !== undefined;
  const leave = () => {
    reset();
    form.reset();
    close();
  };
  return (
    // A stray click beside it takes nothing away that was typed: that is left by Cancel, by Escape or by the cross.
    <Layer
      size="lg"
      {...dialog}
      closeOnClickOutside={!form.isDirty()}
      close={leave}
      isBusy={() => onDone !== undefined && isUnderWay()}
    >
      <ValidatedForm
        form={form}
        error={error}
        check={async (values) => {
          const asked = change(values);
          return asked === null ? {} : faultsIn(asked.method, asked.path, asked.body);
        }}
        submit={(values) => {
          const asked = change(values);
          if (asked === null) return leave();
          const end = (answer: Answer) => {
            leave();
            onDone?.(answer);
          };
          mutate(asked, {
            ...(onReload === undefined
              ? { onSuccess: end }
              : { onAnswer: (answer, reloaded) => (end(answer), onReload(reloaded)) }),
            onError: ({ fields }) => {
              form.setErrors(fields);
              onRefused?.();
            },
          });
        }}
      >
        <Stack>
          {children}
          <Fault error={withoutFields(error, Object.keys(form.values), form.errors)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave} disabled={waits}>
              Cancel
            </Button>
            <Button color={color} type="submit" loading={isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </ValidatedForm>
    </Layer>
  );
}
