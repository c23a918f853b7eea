import { legible } from '@gateway/contract/legible';
import { Badge, Box, Group, Text } from '@mantine/core';
import type { KnownSubject } from '../../api/objects.ts';
import { Clamped, ClampedLink } from '../../ui/named.tsx';

/** A person's name, and their name at the identity provider. @param open shows more of them */
export function Who({
  subject,
  displayName,
  origin,
  resembles,
  open,
}: Pick<KnownSubject, 'subject' | 'displayName' | 'origin' | 'resembles'> & { open?: () => void }) {
  return (
    <Box miw="min(260px, 24vw)">
      {open === undefined ? (
        <Clamped fw={500}>{legible(subject)}</Clamped>
      ) : (
        <ClampedLink fw={500} onClick={open}>
          {legible(subject)}
        </ClampedLink>
      )}
      {(origin === 'directory' || displayName !== null) && (
        <Group gap={6} wrap="nowrap">
          {origin === 'directory' && (
            <Badge size="xs" variant="light" style={{ flexShrink: 0 }}>
              identity provider
            </Badge>
          )}
          {displayName !== null && (
            <Clamped size="xs" c="dimmed">
              {displayName}
            </Clamped>
          )}
        </Group>
      )}
      {resembles != null && (
        <Text size="xs" c="var(--mantine-color-error)">
          Looks like “{legible(resembles)}”, but is another name. Check who it is before you grant a role.
        </Text>
      )}
    </Box>
  );
}
