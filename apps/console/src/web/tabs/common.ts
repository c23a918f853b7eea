import { lazyPage } from '../ui/lazy-page.tsx';
import type { Jump, Tab } from './tab.ts';

const AuditPage = lazyPage(() => import('../pages/audit/audit-page.tsx').then((page) => page.AuditPage));
const AuditedPolicyPage = lazyPage(() =>
  import('../pages/policy/audited-policy-page.tsx').then((page) => page.AuditedPolicyPage),
);
const AuditorsAuditPage = lazyPage(() =>
  import('../pages/audit/audit-page.tsx').then((page) => page.AuditorsAuditPage),
);
const EndpointsPage = lazyPage(() =>
  import('../pages/endpoints/endpoints-page.tsx').then((page) => page.EndpointsPage),
);
const MePage = lazyPage(() => import('../pages/me-page.tsx').then((page) => page.MePage));
const MembersPage = lazyPage(() => import('../pages/project/members-page.tsx').then((page) => page.MembersPage));
const PolicyPage = lazyPage(() => import('../pages/policy/policy-page.tsx').then((page) => page.PolicyPage));

/** Tabs that both builds have. */
export const ENDPOINTS: Tab = {
  identifier: 'endpoints',
  label: 'Endpoints',
  page: EndpointsPage,
  key: 'e',
  manual: 'operator/engine',
  jumps: [
    { label: 'Connect an engine', to: 'endpoints?open=connect', keywords: 'add provider model endpoint new' },
    { label: 'Create an endpoint', to: 'endpoints?open=endpoint', keywords: 'add new' },
    { label: 'Declare a model', to: 'endpoints?open=model', keywords: 'add new price' },
    { label: 'Declare a provider', to: 'endpoints?open=provider', keywords: 'add new base url' },
  ],
};

export const POLICY: Tab = {
  identifier: 'governance',
  label: 'Policy',
  page: PolicyPage,
  key: 'y',
  manual: 'operator/policy',
  manuals: { roles: 'operator/people', projects: 'operator/people' },
  jumps: [
    { label: 'Write a policy', to: 'governance?open=policy', keywords: 'cedar forbid restrict install' },
    { label: 'Roles', to: 'governance/roles', keywords: 'people rights permissions' },
    { label: 'Grant a role', to: 'governance/roles?open=grant', keywords: 'new administrator auditor user right' },
    { label: 'Projects', to: 'governance/projects', keywords: 'members team' },
  ],
};

const READS = { needs: 'journal:lire' } as const;

/** Tabs for every reader of the log. */
const LOG: readonly Jump[] = [
  { label: 'Decisions', to: 'audit/decisions', keywords: 'log calls who called granted refused', ...READS },
  { label: 'Who changed what', to: 'audit/administration', keywords: 'administration actions history', ...READS },
  { label: 'Agent acts', to: 'audit/agent-acts', keywords: 'tools commands files', ...READS },
  { label: 'Secrets found', to: 'audit/detections', keywords: 'detections keys leaked', ...READS },
  {
    label: 'Verify the log',
    to: 'audit/verification',
    keywords: 'verification chain checkpoint tampered',
    needs: 'journal:verifier-l-integrite',
  },
  {
    label: 'Export the decisions as CSV',
    to: '/api/audit/decisions?format=csv',
    keywords: 'download file excel spreadsheet log',
    needs: 'journal:exporter',
  },
];

const AUDIT_MANUALS = {
  'agent-sessions': 'operator/revoke',
  'revoked-subjects': 'operator/revoke',
  detections: 'operator/secrets',
  'agent-acts': 'developer/agents',
  'agent-commands': 'developer/agents',
};

export const AUDIT: Tab = {
  identifier: 'audit',
  label: 'Audit',
  page: AuditPage,
  key: 'a',
  manual: 'auditor/verify',
  manuals: AUDIT_MANUALS,
  jumps: [
    ...LOG,
    { label: 'Agent sessions', to: 'audit/agent-sessions', keywords: 'revoke runaway' },
    { label: 'Agent commands', to: 'audit/agent-commands', keywords: 'sandbox' },
    { label: 'Revoked subjects', to: 'audit/revoked-subjects', keywords: 'blocked people lift' },
  ],
};

/** What an auditor reads, in both profiles. */
export const AUDITORS: readonly Tab[] = [
  {
    identifier: 'audit',
    label: 'Audit',
    page: AuditorsAuditPage,
    key: 'a',
    manual: 'auditor/verify',
    manuals: AUDIT_MANUALS,
    jumps: LOG,
  },
  {
    identifier: 'governance',
    label: 'Policy',
    page: AuditedPolicyPage,
    key: 'y',
    manual: 'operator/policy',
    jumps: [],
  },
];

/** The page of the signed-in person. */
export const ME: Tab = {
  identifier: 'me',
  label: 'My page',
  page: MePage,
  key: 'm',
  manual: 'developer/tools',
  jumps: [],
};

export const MEMBERS: Tab = {
  identifier: 'members',
  label: 'Members',
  page: MembersPage,
  key: 'm',
  manual: 'operator/people',
  jumps: [],
};
