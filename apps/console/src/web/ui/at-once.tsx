import { Button, type ButtonProps, Stack, Text } from '@mantine/core';
import { type ChangeCall, useChange } from '../api/change.ts';

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
