import { AuditorsAuditPage } from '../pages/audit/audit-page.tsx';
import { AuditedPolicyPage } from '../pages/policy/audited-policy-page.tsx';
import type { Tab } from './tab.ts';

/** What an auditor reads, in both profiles. */
export const AUDITORS: readonly Tab[] = [
  { identifier: 'audit', label: 'Audit', page: AuditorsAuditPage },
  { identifier: 'governance', label: 'Policy', page: AuditedPolicyPage },
];
