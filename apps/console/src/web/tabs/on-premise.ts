import { AuditPage } from '../pages/audit/audit-page.tsx';
import { EndpointsPage } from '../pages/endpoints/endpoints-page.tsx';
import { PolicyPage } from '../pages/policy/policy-page.tsx';
import { MembersPage } from '../pages/project/members-page.tsx';
import { AUDITORS } from './auditors.ts';
import type { Surfaces } from './tab.ts';

/** The on-premise console's tabs, in the order of both builds. The others do not exist in this artifact (console-17). */
export const SURFACES: Surfaces = {
  '/': [
    { identifier: 'endpoints', label: 'Endpoints', page: EndpointsPage },
    { identifier: 'governance', label: 'Policy', page: PolicyPage },
    { identifier: 'audit', label: 'Audit', page: AuditPage },
  ],
  '/audit': AUDITORS,
  '/project': [{ identifier: 'members', label: 'Members', page: MembersPage }],
};
