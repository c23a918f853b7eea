import { Button, type ButtonProps, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Change, useChange } from '../api/change.ts';
import { Fault, unplaced } from './fault.tsx';
import { Layer } from './layer.tsx';
import { useDialog } from './use-dialog.ts';

export interface ConfirmProps<Answer> extends Pick<ButtonProps, 'size' | 'variant' | 'color'> {
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

/** A button that destroys or takes away: it says what will happen and asks once. */
export function Confirm<Answer>(props: ConfirmProps<Answer>) {
  const { label, title, consequence, reason, change, onDone, ...look } = props;
  const { opened, made, open, close } = useDialog();
  const [why, setWhy] = useState('');
  const { mutate, isPending, isUnderWay, error, reset } = useChange<Answer>();
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
  // An answer that somebody needs, such as a key that is shown once, must not be lost.
  const waits = isPending && onDone !== undefined;
  const leave = () => {
    reset();
    setWhy('');
    close();
  };
  return (
    <>
      <Button
        ref={trigger}
        size="compact-sm"
        variant="subtle"
        color="red"
        {...look}
        aria-label={`${label}: ${title}`}
        onClick={open}
      >
        {label}
      </Button>
      {made && (
        <Layer opened={opened} close={leave} isBusy={() => onDone !== undefined && isUnderWay()} title={title} centered>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              // Known from here on: the row may be gone before the other lists of the page are read, and nothing is told to it then.
              list.current = trigger.current?.closest<HTMLElement>('[role=group][tabindex]') ?? null;
              mutate(change(why), {
                onSuccess: (answer) => {
                  leave();
                  onDone?.(answer);
                },
                onError: () => {
                  list.current = null;
                },
              });
            }}
          >
            <Stack>
              <Text size="sm">{consequence}</Text>
              {reason !== undefined && (
                <TextInput
                  label={reason}
                  required
                  maxLength={300}
                  value={why}
                  error={error?.fields['reason']}
                  onChange={(event) => setWhy(event.currentTarget.value)}
                  data-autofocus
                />
              )}
              <Fault error={unplaced(error, ['reason'])} />
              <Group justify="flex-end">
                <Button variant="default" onClick={leave} disabled={waits}>
                  Cancel
                </Button>
                <Button color={look.color ?? 'red.9'} type="submit" loading={isPending}>
                  {label}
                </Button>
              </Group>
            </Stack>
          </form>
        </Layer>
      )}
    </>
  );
}
