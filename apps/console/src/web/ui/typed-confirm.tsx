import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { ChangeCall } from '../api/change.ts';
import { FormModal } from './form-modal.tsx';
import type { Dialog } from './layer.tsx';

export interface TypedConfirmProps<Answer> extends Dialog {
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
