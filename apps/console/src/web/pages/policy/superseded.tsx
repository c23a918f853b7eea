import { Alert, Button, Group, Text } from '@mantine/core';

/** Another administrator installed a revision meanwhile: the draft stays, and may be discarded for theirs. */
export function Superseded({ by, showIt }: { by: { revision: number; author: string }; showIt: () => void }) {
  return (
    <Alert color="yellow" variant="light" role="status">
      <Group justify="space-between" gap="md">
        <Text size="sm">
          {by.author} installed revision {by.revision} while you were writing. Your text replaces it.
        </Text>
        <Button size="xs" variant="default" onClick={showIt}>
          Show revision {by.revision} instead
        </Button>
      </Group>
    </Alert>
  );
}
