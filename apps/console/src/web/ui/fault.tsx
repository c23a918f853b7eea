import { Alert, Button, Group, Text } from '@mantine/core';
import type { ApiError } from '../api/request.ts';

/** A refusal or failure, said where it happened, with a way to try again where there is one. */
export function Fault({ error, retry }: { error: ApiError | null; retry?: () => unknown }) {
  if (error === null) return null;
  return (
    <Alert color="red" variant="light" role="alert" title={error.status === 403 ? 'Not permitted' : undefined}>
      <Group justify="space-between" gap="md">
        <Text size="sm">{error.message}</Text>
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={() => retry()}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
