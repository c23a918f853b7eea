import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/change.ts';
import { Fault, withoutFields } from '../../ui/fault.tsx';
import { Parts } from '../../ui/parts.tsx';
import { Section } from '../../ui/section.tsx';
import { ValidatedForm } from '../../ui/validated-form.tsx';
import { GroupRoles } from '../rights/group-roles.tsx';
import { People } from '../rights/people.tsx';
import { Projects } from '../rights/projects.tsx';
import { Waiting } from '../rights/waiting.tsx';
import { AuthorizationPolicy, useRestore } from './authorization-policy.tsx';
import { History, PolicyAttempts } from './history.tsx';
import { OrganizationPolicy } from './organization-policy.tsx';

interface Explanation {
  readonly allowed: boolean;
  readonly reason: string;
  readonly policies: readonly string[];
}

const REASONS: Readonly<Record<string, string>> = {
  role: 'A role permits it, and no policy forbids it.',
  'role-missing': 'The subject lacks the role User. Grant it under Roles.',
  'policy-forbids': 'A policy forbids it:',
  'policy-error': 'A policy cannot be evaluated for this call, and so refuses:',
  'subject-revoked': 'The subject is revoked. Lift the revocation under Audit, Revoked subjects.',
  'account-disabled': 'The account of the subject is disabled. Enable it.',
  'endpoint-inactive': 'The endpoint is not active. Activate it under Endpoints.',
};

const FIELDS = [
  { name: 'subject', label: 'Subject', description: 'A username or subject.', required: true },
  { name: 'endpoint', label: 'Endpoint', description: 'Its name.', required: true },
  { name: 'method', label: 'Method', description: 'POST where empty.', required: false },
  { name: 'path', label: 'Path', description: 'Chat completions where empty.', required: false },
  { name: 'sourceAddress', label: 'Source address', description: 'Yours where empty.', required: false },
] as const;

/** Asks whether a call would be served, without making it. */
function ExplainCall() {
  const form = useForm<Record<string, string>>({
    initialValues: Object.fromEntries(FIELDS.map(({ name }) => [name, ''])),
  });
  const { mutate, isPending, error, data } = useChange<Explanation>();
  const ask = (values: Readonly<Record<string, string>>) => {
    const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
    mutate(
      { method: 'POST', path: '/api/policies/explain', body },
      { onError: ({ fields }) => form.setErrors(fields) },
    );
  };
  return (
    <Section
      title="Would this call be allowed?"
      about="Asks the roles and the policies in force. Nothing is called, and nothing is shown of the policies but the names of those that refuse."
    >
      <ValidatedForm form={form} submit={ask} error={error}>
        <Group align="flex-start" gap="sm">
          {FIELDS.map(({ name, ...look }) => (
            <TextInput key={name} {...look} style={{ flex: '1 1 180px' }} {...form.getInputProps(name)} />
          ))}
          <Button type="submit" variant="default" loading={isPending} mt={44}>
            Ask
          </Button>
        </Group>
      </ValidatedForm>
      <Fault
        error={withoutFields(
          error,
          FIELDS.map(({ name }) => name),
        )}
      />
      {data !== undefined && <PolicyAnswer {...data} />}
    </Section>
  );
}

function PolicyAnswer({ allowed, reason, policies }: Explanation) {
  return (
    <Alert
      color={allowed ? 'green' : 'red'}
      variant="light"
      role="status"
      title={allowed ? 'It would be allowed' : 'It would be refused'}
    >
      <Stack gap={4}>
        <Text size="sm">{REASONS[reason] ?? reason}</Text>
        {policies.length > 0 && (
          <List size="sm">
            {policies.map((name) => (
              <List.Item key={name}>{name}</List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Alert>
  );
}

/** The history, of which a revision can be installed again. */
function RestorableHistory() {
  const restore = useRestore();
  return <History restore={({ cedar }) => restore(cedar)} />;
}

/** What narrows the role matrix, and what the organization imposes on its workstations. */
const Policies = () => (
  <Stack gap="xl">
    <AuthorizationPolicy />
    <ExplainCall />
    <RestorableHistory />
    <OrganizationPolicy />
    <PolicyAttempts kind="organization" />
  </Stack>
);

/** Who may do what: people, those who wait, and groups. */
const Roles = () => (
  <Stack gap="xl">
    <People />
    <Waiting />
    <GroupRoles />
  </Stack>
);

const PARTS = {
  policies: { label: 'Policies', part: Policies },
  roles: { label: 'Roles', part: Roles },
  projects: { label: 'Projects', part: Projects },
};

/** The policies, the roles of people, and the projects they belong to. */
export const PolicyPage = () => <Parts of="governance" label="What to administer" parts={PARTS} />;
