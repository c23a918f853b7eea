import { CapsPage } from '../pages/caps/caps-page.tsx';
import { PlansPage } from '../pages/plans/plans-page.tsx';
import { MemberPlansPage } from '../pages/project/member-plans-page.tsx';
import { ProjectUsagePage } from '../pages/project/project-usage-page.tsx';
import { UsagePage } from '../pages/usage/usage-page.tsx';
import { UsersPage } from '../pages/users/users-page.tsx';
import { AUDIT, AUDITORS, ENDPOINTS, ME, MEMBERS, POLICY } from './common.ts';
import type { Surfaces, Tab } from './tab.ts';

const MANUAL = 'operator/plans';

const USERS: Tab = {
  identifier: 'users',
  label: 'Users',
  page: UsersPage,
  key: 'u',
  manual: 'operator/people',
  jumps: [
    {
      label: 'Create a user',
      to: 'users?open=user',
      keywords: 'add new account person key onboard',
      isOfSharedPair: true,
    },
  ],
};

const PLANS: Tab = {
  identifier: 'plans',
  label: 'Plans',
  page: PlansPage,
  key: 'p',
  manual: MANUAL,
  jumps: [
    { label: 'Create a plan', to: 'plans?open=plan', keywords: 'add new cap budget limit', isOfSharedPair: true },
  ],
};

/** The hosted console's tabs, in their order. */
export const SURFACES: Surfaces = {
  '/': [
    USERS,
    PLANS,
    ENDPOINTS,
    { identifier: 'usage', label: 'Usage', page: UsagePage, key: 's', manual: MANUAL, jumps: [] },
    { identifier: 'caps', label: 'Caps', page: CapsPage, key: 'c', manual: MANUAL, jumps: [] },
    POLICY,
    AUDIT,
  ],
  '/audit': AUDITORS,
  '/me': [ME],
  '/project': [
    MEMBERS,
    { identifier: 'plans', label: 'Plans', page: MemberPlansPage, key: 'p', manual: MANUAL, jumps: [] },
    { identifier: 'usage', label: 'Usage', page: ProjectUsagePage, key: 's', manual: MANUAL, jumps: [] },
  ],
};
