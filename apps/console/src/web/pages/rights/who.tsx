import { legible } from '@gateway/contract/legible';
import { Anchor, Badge, Group, Text } from '@mantine/core';
import type { KnownSubject } from '../../api/objects.ts';

/** A person's name, and their name at the identity provider. @param open shows more of them */
export function Who({
  subject,
  displayName,
  origin,
  resembles,
  open,
}: Pick<KnownSubject, 'subject' | 'displayName' | 'origin' | 'resembles'> & { open?: () => void }) {
  return (
    <>
      <Group gap={6} wrap="nowrap" miw={120}>
        {open === undefined ? (
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {legible(subject)}
          </Text>
        ) : (
          <Anchor component="button" type="button" size="sm" fw={500} ta="left" onClick={open}>
            {legible(subject)}
          </Anchor>
        )}
        {origin === 'directory' && (
          <Badge size="xs" variant="light" style={{ flexShrink: 0 }}>
            identity provider
          </Badge>
        )}
      </Group>
      {resembles != null && (
        <Text size="xs" c="var(--mantine-color-error)">
          Looks like “{legible(resembles)}”, but is another name. Check who it is before you grant a role.
        </Text>
      )}
      {displayName !== null && (
        <Text size="xs" c="dimmed">
          {displayName}
        </Text>
      )}
    </>
  );
}
