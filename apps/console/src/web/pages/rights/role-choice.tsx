import { roleLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Badge, Box, Group, Select, type SelectProps, Text, TextInput, type TextInputProps } from '@mantine/core';
import type { KnownSubject } from '../../api/objects.ts';
import { Clamped, ClampedLink } from '../../ui/named.tsx';

export const OF_A_PROJECT = 'administrateur-de-projet';

/** The roles, with what each is for. */
const ROLES: Readonly<Record<string, string>> = {
  'utilisateur-standard': 'Calls endpoints, and runs agent commands.',
  [OF_A_PROJECT]: 'Manages the members of one project.',
  'administrateur-d-instance': 'Declares endpoints, installs policies, grants roles, revokes.',
  auditeur: 'Reads, exports and verifies every log.',
};

/** What most people are given. */
export const FIRST_ROLE = 'utilisateur-standard';

/** Selects a role, with an explanation of each: nobody should have to guess it from a name. */
export function RoleChoice({ value, ...look }: { value: string } & Omit<SelectProps, 'data' | 'value'>) {
  return (
    <Select
      label="Role"
      {...look}
      description={ROLES[value]}
      data={Object.keys(ROLES).map((role) => ({ value: role, label: roleLabel(role) }))}
      value={value}
      allowDeselect={false}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">
            {option.label}{' '}
            <Text span size="xs" c="dimmed" ff="monospace">
              {option.value}
            </Text>
          </Text>
          <Text size="xs" c="dimmed">
            {ROLES[option.value]}
          </Text>
        </div>
      )}
    />
  );
}

/** The project of a role that has one. */
export function ProjectField(look: TextInputProps) {
  return <TextInput label="Project" description="A name that is new begins a project." required {...look} />;
}

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
