import { roleLabel } from '@gateway/contract/labels';
import { Select, type SelectProps, Text, TextInput, type TextInputProps } from '@mantine/core';

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
