import { Button, type ButtonProps, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ChangeCall, useChange } from '../api/change.tsx';
import classes from './confirm.module.css';
import { FormModal } from './form-modal.tsx';
import { type Dialog, useDialog } from './layer.tsx';

interface Question<Answer> {
  /** What the button says, and the dialog's own button after it. */
  readonly label: string;
  readonly title: string;
  /** What will happen, and what cannot be undone. */
  readonly consequence: ReactNode;
  /** Where a reason must be given, its question; it is handed to `change`. */
  readonly reason?: string;
  readonly change: (reason: string) => ChangeCall;
  readonly onDone?: (answer: Answer) => void;
}

export interface ConfirmProps<Answer> extends Question<Answer>, Pick<ButtonProps, 'size' | 'variant' | 'color'> {}

/**
 * A button that destroys or removes: it says what will happen and asks once. The dialog closes when it is done; until the
 * lists are reloaded, its row is pale.
 */
export function Confirm<Answer>({ size, variant, color, change, ...question }: ConfirmProps<Answer>) {
  const { opened, made, open, close } = useDialog();
  const [isReloading, setReloading] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLElement | null>(null);
  // The action may remove this button with its row: the focus then moves to the table.
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
        aria-busy={isReloading}
        className={classes['trigger'] ?? ''}
        onClick={() => !isReloading && open()}
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
            // Find the table now: the row may be removed before the other lists of the page are reloaded, and no callback runs
            // then.
            list.current = trigger.current?.closest<HTMLElement>('[role=group][tabindex]') ?? null;
            return change(reason);
          }}
          onRefused={() => {
            list.current = null;
          }}
          onReload={(reloaded) => {
            setReloading(true);
            const end = (): void => setReloading(false);
            reloaded.then(end, end);
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
}: Question<Answer> & Dialog & { color: string; onRefused: () => void; onReload: (reloaded: Promise<void>) => void }) {
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

interface TypedConfirmProps<Answer> extends Dialog {
  readonly title: string;
  readonly submit: string;
  /** The word to type before it is sent. */
  readonly word: string;
  readonly change: () => ChangeCall;
  readonly onDone?: (answer: Answer) => void;
  readonly children: ReactNode;
}

/** Asks for a word to be typed before something is sent that may be regretted by many. */
export function TypedConfirm<Answer>({ word, change, children, ...dialog }: TypedConfirmProps<Answer>) {
  const form = useForm({
    initialValues: { typed: '' },
    validate: { typed: (typed) => (typed.trim() === word ? null : `Type ${word} to continue.`) },
  });
  return (
    <FormModal<typeof form.values, Answer> {...dialog} size="md" centered color="red.9" form={form} change={change}>
      {children}
      <TextInput
        label={
          <>
            Type{' '}
            <Text span fw={650} ff="monospace">
              {word}
            </Text>{' '}
            to confirm
          </>
        }
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('typed')}
      />
    </FormModal>
  );
}

/** A button that changes something at once, and shows a refusal below it. */
export function AtOnce({ label, change, ...look }: { label: string; change: () => ChangeCall } & ButtonProps) {
  const { mutate, isPending, error } = useChange();
  return (
    <Stack gap={4} align="flex-end">
      <Button size="xs" variant="default" {...look} aria-busy={isPending} onClick={() => mutate(change())}>
        {label}
      </Button>
      {error !== null && (
        <Text size="xs" c="red" role="alert">
          {error.message}
        </Text>
      )}
    </Stack>
  );
}
