import { Stack } from '@mantine/core';
import { Parts } from '../../ui/parts.tsx';
import { People } from '../rights/people.tsx';
import { Projects } from '../rights/projects.tsx';
import { AuthorizationPolicy } from './authorization-policy.tsx';
import { History } from './history.tsx';
import { OrganizationPolicy } from './organization-policy.tsx';
import { PolicyAttempts } from './policy-attempts.tsx';

/** What narrows the role matrix, and what the organization imposes on its workstations. */
const Policies = () => (
  <Stack gap="xl">
    <AuthorizationPolicy />
    <History />
    <OrganizationPolicy />
    <PolicyAttempts kind="organization" />
  </Stack>
);

const PARTS = {
  policies: { label: 'Policies', part: Policies },
  roles: { label: 'Roles', part: People },
  projects: { label: 'Projects', part: Projects },
};

/** The policies, the roles of people, and the projects they belong to. */
export const PolicyPage = () => <Parts of="governance" label="What to administer" parts={PARTS} />;
