import { Badge, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PolicyRevision } from '../../api/objects.ts';
import { type ApiError, request } from '../../api/request.ts';
import { Fault } from '../../ui/fault.tsx';
import { Section } from '../../ui/section.tsx';
import { PolicyAttempts } from './policy-attempts.tsx';

/** The policies as an auditor reads them: what is in force, and every attempt to change it. */
export function AuditedPolicyPage() {
  const { data, error, refetch } = useQuery<{ policy: PolicyRevision | null }, ApiError>({
    queryKey: ['/api/policies/in-force'],
    queryFn: ({ signal }) => request('GET', '/api/policies/in-force', undefined, signal),
  });
  const policy = data?.policy ?? null;
  return (
    <Stack gap="xl">
      <Section
        title="Authorization policy in force"
        about="It narrows what the roles permit, never widens it."
        actions={
          policy !== null && (
            <Badge variant="light" tt="none">{`revision ${policy.revision}, by ${policy.author}`}</Badge>
          )
        }
      >
        <Fault error={error} retry={refetch} />
        {policy === null || policy.cedar === '' ? (
          <Text size="sm">None: the role matrix as it stands.</Text>
        ) : (
          <Code block>{policy.cedar}</Code>
        )}
      </Section>
      <PolicyAttempts />
    </Stack>
  );
}
