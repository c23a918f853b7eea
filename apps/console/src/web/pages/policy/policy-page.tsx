import { Stack } from '@mantine/core';
import { AuthorizationPolicy } from './authorization-policy.tsx';
import { OrganizationPolicy } from './organization-policy.tsx';
import { PolicyAttempts } from './policy-attempts.tsx';

/** What narrows the role matrix, and what the organization imposes on its workstations. */
export function PolicyPage() {
  return (
    <Stack gap="xl">
      <AuthorizationPolicy />
      <OrganizationPolicy />
      <PolicyAttempts />
    </Stack>
  );
}
