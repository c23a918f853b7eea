import { Badge, Code, Stack, Text } from '@mantine/core';
import type { Organization, PolicyRevision } from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import { Details } from '../../ui/details.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Section } from '../../ui/section.tsx';
import { History, PolicyAttempts } from './history.tsx';

/** The policies for auditors: the text in force, and every attempt to change it. */
export function AuditedPolicyPage() {
  const { data, error, refetch } = useRead<{ policy: PolicyRevision | null }>('/api/policies/in-force');
  const policy = data?.policy ?? null;
  return (
    <Stack gap="xl">
      <Section
        title="Authorization policy in force"
        about="It narrows what the roles permit, never widens it."
        actions={policy !== null && <Badge variant="light">{`revision ${policy.revision}, by ${policy.author}`}</Badge>}
      >
        <Fault error={error} retry={refetch} />
        {data === undefined ? null : policy === null || policy.cedar === '' ? (
          <Text size="sm">None: only the role matrix applies.</Text>
        ) : (
          <Code block tabIndex={0} aria-label="Text of the policy" role="group">
            {policy.cedar}
          </Code>
        )}
      </Section>
      <History />
      <PolicyAttempts kind="authorization" />
      <ImposedPolicies />
      <PolicyAttempts kind="organization" />
    </Stack>
  );
}

/** What each organization imposes on its workstations now. */
function ImposedPolicies() {
  const { data, error, refetch } = useRead<{ organizations: readonly Organization[] }>(
    '/api/audit/organization-policy?limit=1',
  );
  return (
    <Section title="Organization policy" about="The policy for the workstations of an organization.">
      <Fault error={error} retry={refetch} />
      {data?.organizations.length === 0 && <Text size="sm">There is no organization.</Text>}
      {data?.organizations.map(({ id, name, slug, policy }) => (
        <Stack key={id} gap="xs" align="flex-start" style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm" fw={600}>
            {name} <Code>{slug}</Code>
          </Text>
          {policy === null ? (
            <Text size="sm">Imposes nothing.</Text>
          ) : (
            <Details
              title={`Policy of ${name}`}
              label={`Revision ${policy.revision}, by ${policy.author}`}
              entry={policy}
            />
          )}
        </Stack>
      ))}
    </Section>
  );
}
