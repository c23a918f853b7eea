import { Badge, Group, Text } from '@mantine/core';
import type { User } from '../../api/objects.ts';

/** The roles an account holds, with the project of each that has one. */
export function RolesOf({ user }: { user: User }) {
  if (user.roles.length === 0)
    return (
      <Text size="xs" c="dimmed">
        none: refused
      </Text>
    );
  return (
    <Group gap={4}>
      {user.roles.map(({ role, project }) => (
        <Badge key={`${role}:${project}`} variant="light" tt="none" size="sm">
          {role}
          {project === null ? '' : ` · ${project}`}
        </Badge>
      ))}
    </Group>
  );
}
