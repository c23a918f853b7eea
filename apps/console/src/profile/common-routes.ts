import { administrationActions } from '../server/audit/administration-actions.ts';
import { agentActs } from '../server/audit/agent-acts.ts';
import { decisions } from '../server/audit/decisions.ts';
import { detections } from '../server/audit/detections.ts';
import { proofRoutes } from '../server/audit/proofs.ts';
import { verificationRoutes } from '../server/audit/verification.ts';
import { endpointRoutes } from '../server/catalog/endpoints.ts';
import { decisionResult, providerHealth } from '../server/catalog/engine-results.ts';
import { modelRoutes } from '../server/catalog/models.ts';
import { providerTestRoutes } from '../server/catalog/provider-tests.ts';
import { providerRoutes } from '../server/catalog/providers.ts';
import { tryEndpointRoutes } from '../server/catalog/try-endpoint.ts';
import { consumptionRoutes } from '../server/consumption.ts';
import { organizationRoutes } from '../server/organization/organization.ts';
import { organizationPolicyRoutes } from '../server/organization/policy.ts';
import { overview } from '../server/overview.ts';
import { policyRoutes } from '../server/policy/policies.ts';
import { memberRoutes } from '../server/projects/members.ts';
import { projectRoutes } from '../server/projects/projects.ts';
import { groupRoleRoutes } from '../server/rights/group-roles.ts';
import { roleAssignmentRoutes } from '../server/rights/role-assignments.ts';
import { subjectRevocationRoutes } from '../server/rights/subject-revocations.ts';
import { pageRoutes } from '../server/routing/pages.ts';
import type { Route } from '../server/routing/route.ts';
import { session } from '../server/session.ts';
import { agentExecution } from '../server/sessions/agent-execution.ts';
import { agentSessionRoutes } from '../server/sessions/agent-sessions.ts';

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
