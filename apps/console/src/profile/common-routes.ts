import { administrationActions, agentActs } from '../server/audit/administration-actions.ts';
import { agentExecution, agentSessionRoutes } from '../server/audit/agent-sessions.ts';
import { decisions, detections } from '../server/audit/decisions.ts';
import { proofRoutes, verificationRoutes } from '../server/audit/verification.ts';
import { consumptionRoutes, overview } from '../server/catalog/consumption.ts';
import { endpointRoutes, tryEndpointRoutes } from '../server/catalog/endpoints.ts';
import { modelRoutes } from '../server/catalog/models.ts';
import { decisionResult, providerHealth, providerRoutes, providerTestRoutes } from '../server/catalog/providers.ts';
import { session } from '../server/me.ts';
import { organizationPolicyRoutes, organizationRoutes } from '../server/policy/organization-policy.ts';
import { policyRoutes } from '../server/policy/policies.ts';
import { memberRoutes, projectRoutes } from '../server/projects/projects.ts';
import { groupRoleRoutes } from '../server/rights/group-roles.ts';
import { roleAssignmentRoutes } from '../server/rights/role-assignments.ts';
import { subjectRevocationRoutes } from '../server/rights/subject-revocations.ts';
import { pageRoutes } from '../server/routing/pages.ts';
import type { Route } from '../server/routing/route.ts';

/** The rows of the route table that both builds mount. */
export const commonRoutes: readonly Route[] = [
  ...providerRoutes,
  ...modelRoutes,
  ...endpointRoutes,
  ...tryEndpointRoutes,
  ...policyRoutes,
  ...organizationRoutes,
  ...organizationPolicyRoutes,
  ...roleAssignmentRoutes,
  ...groupRoleRoutes,
  ...subjectRevocationRoutes,
  ...agentSessionRoutes,
  agentExecution,
  ...projectRoutes,
  ...memberRoutes,
  decisions,
  decisionResult,
  providerHealth,
  ...providerTestRoutes,
  overview,
  ...consumptionRoutes,
  administrationActions,
  agentActs,
  detections,
  ...verificationRoutes,
  ...proofRoutes,
  session,
  ...pageRoutes,
];
