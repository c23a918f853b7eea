import { Stack } from '@mantine/core';
import { Parts } from '../../ui/parts.tsx';
import { GroupRoles } from '../rights/group-roles.tsx';
import { People } from '../rights/people.tsx';
import { Projects } from '../rights/projects.tsx';
import { Waiting } from '../rights/waiting.tsx';
import { AuthorizationPolicy, useRestore } from './authorization-policy.tsx';
import { ExplainCall } from './explain-call.tsx';
import { History } from './history.tsx';
import { OrganizationPolicy } from './organization-policy.tsx';
import { PolicyAttempts } from './policy-attempts.tsx';

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
