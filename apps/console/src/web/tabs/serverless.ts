import { lazyPage } from '../ui/lazy-page.tsx';
import { AUDIT, AUDITORS, ENDPOINTS, ME, MEMBERS, POLICY } from './common.ts';
import type { Surfaces, Tab } from './tab.ts';

const CapsPage = lazyPage(() => import('../pages/caps-page.tsx').then((page) => page.CapsPage));
const MemberPlansPage = lazyPage(() =>
  import('../pages/project/member-plans-page.tsx').then((page) => page.MemberPlansPage),
);
const PlansPage = lazyPage(() => import('../pages/plans-page.tsx').then((page) => page.PlansPage));
const ProjectUsagePage = lazyPage(() =>
  import('../pages/project/project-usage-page.tsx').then((page) => page.ProjectUsagePage),
);
const UsagePage = lazyPage(() => import('../pages/usage/usage-page.tsx').then((page) => page.UsagePage));
const UsersPage = lazyPage(() => import('../pages/users/users-page.tsx').then((page) => page.UsersPage));

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
