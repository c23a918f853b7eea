import { legible } from '@gateway/contract/legible';
import { Badge, Group, Text } from '@mantine/core';
import type { KnownSubject } from '../../api/objects.ts';

/** Somebody's name, and what the directory calls them. */
export function Who({ subject, displayName, origin }: Pick<KnownSubject, 'subject' | 'displayName' | 'origin'>) {
  return (
    <>
      <Group gap={6} wrap="nowrap" miw={120}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {legible(subject)}
        </Text>
        {origin === 'directory' && (
          <Badge size="xs" variant="light" style={{ flexShrink: 0 }}>
            directory
          </Badge>
        )}
      </Group>
      {displayName !== null && (
        <Text size="xs" c="dimmed">
          {displayName}
        </Text>
      )}
    </>
  );
}
