import { Button, type ButtonProps, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Change } from '../api/change.ts';
import { FormModal } from './form-modal.tsx';
import type { Dialog } from './layer.tsx';
import { useDialog } from './use-dialog.ts';

interface Question<Answer> {
  /** What the button says, and the dialog's own button after it. */
  readonly label: string;
  readonly title: string;
  /** What will happen, and what cannot be undone. */
  readonly consequence: ReactNode;
  /** Where a reason must be given, its question; it is handed to `change`. */
  readonly reason?: string;
  readonly change: (reason: string) => Change;
  readonly onDone?: (answer: Answer) => void;
}

export interface ConfirmProps<Answer> extends Question<Answer>, Pick<ButtonProps, 'size' | 'variant' | 'color'> {}

/** A button that destroys or takes away: it says what will happen and asks once. */
export function Confirm<Answer>({ size, variant, color, change, ...question }: ConfirmProps<Answer>) {
  const { opened, made, open, close } = useDialog();
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLElement | null>(null);
  // What is done may take this button away with its row: the keyboard then goes on at the table it stood in.
  useEffect(
    () => () => {
      const table = list.current;
      setTimeout(() => document.activeElement === document.body && table?.focus({ preventScroll: true }), 20);
    },
    [],
  );
  return (
    <>
      <Button
        ref={trigger}
        size={size ?? 'compact-sm'}
        variant={variant ?? 'subtle'}
        color={color ?? 'red'}
        aria-label={`${question.label}: ${question.title}`}
        onClick={open}
      >
        {question.label}
      </Button>
      {made && (
        <Asked
          {...question}
          opened={opened}
          close={close}
          color={color ?? 'red.9'}
          change={(reason) => {
            // Known from here on: the row may be gone before the other lists of the page are read, and nothing is told to it then.
            list.current = trigger.current?.closest<HTMLElement>('[role=group][tabindex]') ?? null;
            return change(reason);
          }}
          onRefused={() => {
            list.current = null;
          }}
        />
      )}
    </>
  );
}

function Asked<Answer>({
  label,
  consequence,
  reason,
  change,
  ...dialog
}: Question<Answer> & Dialog & { color: string; onRefused: () => void }) {
  const form = useForm({ initialValues: { reason: '' } });
  return (
    <FormModal<typeof form.values, Answer>
      {...dialog}
      submit={label}
      size="md"
      centered
      form={form}
      change={(values) => change(values.reason)}
    >
      <Text size="sm">{consequence}</Text>
      {reason !== undefined && (
        <TextInput label={reason} required maxLength={300} data-autofocus {...form.getInputProps('reason')} />
      )}
    </FormModal>
  );
}
