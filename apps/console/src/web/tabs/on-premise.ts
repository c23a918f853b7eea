import { AuditPage } from '../pages/audit/audit-page.tsx';
import { EndpointsPage } from '../pages/endpoints/endpoints-page.tsx';
import { PolicyPage } from '../pages/policy/policy-page.tsx';
import type { Tab } from './tab.ts';

/** The on-premise console's tabs, in the specification's order. The others do not exist in this artifact. */
export const TABS: readonly Tab[] = [
  { identifier: 'endpoints', label: 'Endpoints', page: EndpointsPage },
  { identifier: 'governance', label: 'Policy', page: PolicyPage },
  { identifier: 'audit', label: 'Audit', page: AuditPage },
];
