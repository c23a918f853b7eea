import { Alert, Button, Code, Group, List, Paper, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useChange } from '../../api/change.tsx';
import type { Organization } from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import { Fault, withoutFields } from '../../ui/fault.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { Parts } from '../../ui/parts.tsx';
import { Section } from '../../ui/section.tsx';
import { useDraft } from '../../ui/use-editing.ts';
import { ValidatedForm } from '../../ui/validated-form.tsx';
import { People, Projects } from '../rights/people.tsx';
import { GroupRoles, Waiting } from '../rights/waiting.tsx';
import { AuthorizationPolicy, useRestore } from './authorization-policy.tsx';
import { History, PolicyAttempts, Superseded } from './history.tsx';
import { type PlacedFault, TextEditor } from './text-editor.tsx';

const EXAMPLE = JSON.stringify(
  {
    models: { providers: [] },
    tools: { allow: ['read_file'], ask: ['run_command'], exclude: [] },
    secrets: { response: 'block', entropy: true, allow: [] },
  },
  null,
  2,
);

interface Explanation {
  readonly allowed: boolean;
  readonly reason: string;
  readonly policies: readonly string[];
}

/** The answer, and the one for a call that the endpoint's standby serves, where that is another. */
interface Answer extends Explanation {
  readonly standby: (Explanation & { readonly model: string; readonly provider: string }) | null;
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
export function ExplainCall() {
  const form = useForm<Record<string, string>>({
    initialValues: Object.fromEntries(FIELDS.map(({ name }) => [name, ''])),
  });
  const { mutate, isPending, error, data } = useChange<Answer>();
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
      {data !== undefined && (
        <>
          <PolicyAnswer of="It" {...data} />
          {data.standby !== null && (
            <PolicyAnswer
              of={`With its standby, ${data.standby.model} of ${data.standby.provider}, it`}
              {...data.standby}
            />
          )}
        </>
      )}
    </Section>
  );
}

function PolicyAnswer({ of, allowed, reason, policies }: { of: string } & Explanation) {
  return (
    <Alert
      color={allowed ? 'teal' : 'red'}
      variant="light"
      role="status"
      title={`${of} would be ${allowed ? 'allowed' : 'refused'}`}
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

/** Why a text is no JSON; null where it is. */
function messageOf(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'is no JSON';
  }
}

/** Browsers name no position of an unexpected token: it ends the shortest beginning of the text that has one. */
function endOfUnexpected(text: string): number {
  let [sound, faulty] = [0, text.length];
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2);
    if (messageOf(text.slice(0, middle))?.startsWith('Unexpected token')) faulty = middle;
    else sound = middle;
  }
  return faulty - 1;
}

/** Where JSON breaks off, as line and column. */
export function jsonFault(text: string): readonly PlacedFault[] {
  const message = messageOf(text);
  if (message === null) return [];
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined) return [{ line: Number(line), column: Number(column), message }];
  const position = message.startsWith('Unexpected token') ? endOfUnexpected(text) : text.length;
  const before = text.slice(0, position).split('\n');
  return [{ line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message }];
}

/** What the organization imposes on its workstations: models, tools and the response to secrets. */
export function OrganizationPolicy() {
  const { data, error, isPending, refetch } = useRead<{ organizations: readonly Organization[] }>('/api/organization');
  const [opened, { open, close }] = useDisclosure(false);
  const form = useForm({ initialValues: { slug: '', name: '' } });
  return (
    <Section
      title="Organization policy"
      about="The policy for the workstations of an organization. An absent member imposes nothing."
      actions={
        <Button variant="default" onClick={open}>
          Create an organization
        </Button>
      }
    >
      <FormModal
        opened={opened}
        close={close}
        title="Create an organization"
        submit="Create"
        form={form}
        change={(body) => ({
          method: 'POST',
          path: '/api/organization',
          body,
          done: `Organization ${body.name} created.`,
        })}
      >
        <TextInput
          label="Slug"
          description="The gateway serves the one that GATEWAY_ORGANIZATION names."
          required
          data-autofocus
          {...form.getInputProps('slug')}
        />
        <TextInput label="Name" required {...form.getInputProps('name')} />
      </FormModal>
      <Fault error={error} retry={refetch} />
      {isPending && <Skeleton height={320} role="status" aria-busy="true" aria-label="Organization policy: loading" />}
      {data?.organizations.length === 0 && (
        <Paper withBorder p="lg">
          <Text size="sm">
            No organization yet. Create one, then set <Code>GATEWAY_ORGANIZATION</Code> to its slug where the gateway
            runs.
          </Text>
        </Paper>
      )}
      {data?.organizations.map((organization) => (
        <DocumentOf key={organization.id} organization={organization} />
      ))}
    </Section>
  );
}

/** The draft of the next revision, and the revision it began from. */
interface Draft {
  readonly text: string;
  readonly from: string;
  readonly until: string;
  readonly since: number;
}

function draftOf({ policy }: Organization): Draft {
  return {
    text: policy === null ? EXAMPLE : JSON.stringify(policy.document, null, 2),
    from: policy?.validFrom ?? '',
    until: policy?.validUntil ?? '',
    since: policy?.revision ?? 0,
  };
}

function DocumentOf({ organization }: { organization: Organization }) {
  const { policy } = organization;
  // A draft stays when data is reloaded: another administrator may have installed a revision meanwhile.
  const [written, setWritten] = useDraft<Draft>(`policy of ${organization.id}`);
  const draft = written ?? draftOf(organization);
  const { text, from, until } = draft;
  const write = (part: Partial<Draft>) => setWritten({ ...draft, ...part });
  const { mutate, isPending, error } = useChange<{ revision: number }>();
  const faults = jsonFault(text);
  return (
    <Paper withBorder p="md" component="section" aria-label={`Policy of ${organization.name}`}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {organization.name} <Code>{organization.slug}</Code>
          </Text>
          <Text size="sm" c="dimmed">
            {policy === null ? 'imposes nothing yet' : `revision ${policy.revision}, by ${policy.author}`}
          </Text>
        </Group>
        <TextEditor
          label={`Policy document of ${organization.name}`}
          value={text}
          onChange={(next) => write({ text: next })}
          faults={faults}
          rows={12}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label="Valid from"
            placeholder="2027-01-01T00:00:00.000Z"
            description="Instant in UTC; empty: at once. Until then no revision is in force."
            value={from}
            error={error?.fields['validFrom']}
            onChange={(event) => write({ from: event.currentTarget.value.trim() })}
          />
          <TextInput
            label="Valid until"
            placeholder="2027-12-31T23:59:59.999Z"
            description="Empty: until a further revision."
            value={until}
            error={error?.fields['validUntil']}
            onChange={(event) => write({ until: event.currentTarget.value.trim() })}
          />
        </SimpleGrid>
        {/* While an installation is sent, the newer revision that is read may be the one it made. */}
        {policy !== null && draft.since < policy.revision && !isPending && (
          <Superseded by={policy} showIt={() => setWritten(null)} />
        )}
        <Fault error={error} />
        <Group justify="flex-end">
          <Button
            loading={isPending}
            disabled={faults.length > 0}
            onClick={() =>
              mutate(
                {
                  method: 'POST',
                  path: '/api/organization/policy',
                  body: {
                    organization: organization.slug,
                    document: JSON.parse(text) as unknown,
                    ...(from === '' ? {} : { validFrom: from }),
                    ...(until === '' ? {} : { validUntil: until }),
                  },
                  done: `Policy of ${organization.name} installed.`,
                },
                {
                  onSuccess: ({ revision }) =>
                    setWritten((now) => (now === null || now === written ? null : { ...now, since: revision })),
                },
              )
            }
          >
            Install the next revision
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
