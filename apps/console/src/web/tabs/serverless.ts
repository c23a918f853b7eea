import { AuditPage } from '../pages/audit/audit-page.tsx';
import { CapsPage } from '../pages/caps/caps-page.tsx';
import { EndpointsPage } from '../pages/endpoints/endpoints-page.tsx';
import { PlansPage } from '../pages/plans/plans-page.tsx';
import { PolicyPage } from '../pages/policy/policy-page.tsx';
import { MemberPlansPage } from '../pages/project/member-plans-page.tsx';
import { MembersPage } from '../pages/project/members-page.tsx';
import { ProjectUsagePage } from '../pages/project/project-usage-page.tsx';
import { UsagePage } from '../pages/usage/usage-page.tsx';
import { UsersPage } from '../pages/users/users-page.tsx';
import { AUDITORS } from './auditors.ts';
import type { Surfaces } from './tab.ts';

/** The hosted console's tabs, in their order. */
export const SURFACES: Surfaces = {
  '/': [
    { identifier: 'users', label: 'Users', page: UsersPage },
    { identifier: 'plans', label: 'Plans', page: PlansPage },
    { identifier: 'endpoints', label: 'Endpoints', page: EndpointsPage },
    { identifier: 'usage', label: 'Usage', page: UsagePage },
    { identifier: 'caps', label: 'Caps', page: CapsPage },
    { identifier: 'governance', label: 'Policy', page: PolicyPage },
    { identifier: 'audit', label: 'Audit', page: AuditPage },
  ],
  '/audit': AUDITORS,
  '/project': [
    { identifier: 'members', label: 'Members', page: MembersPage },
    { identifier: 'plans', label: 'Plans', page: MemberPlansPage },
    { identifier: 'usage', label: 'Usage', page: ProjectUsagePage },
  ],
};
