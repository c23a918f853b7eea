import { pageRoutes } from '../server/http/pages.ts';
import type { Route } from '../server/http/route.ts';
import {
  administrationActions,
  agentActs,
  agentExecution,
  agentSessionRoutes,
  decisions,
  detections,
} from '../server/routes/audit.ts';
import {
  consumptionRoutes,
  endpointRoutes,
  modelRoutes,
  overview,
  tryEndpointRoutes,
} from '../server/routes/endpoints.ts';
import { session } from '../server/routes/me.ts';
import { organizationPolicyRoutes, organizationRoutes } from '../server/routes/organization-policy.ts';
import { policyRoutes } from '../server/routes/policies.ts';
import { memberRoutes, projectRoutes } from '../server/routes/projects.ts';
import { decisionResult, providerHealth, providerRoutes, providerTestRoutes } from '../server/routes/providers.ts';
import { groupRoleRoutes, roleAssignmentRoutes, subjectRevocationRoutes } from '../server/routes/rights.ts';
import { proofRoutes, verificationRoutes } from '../server/routes/verification.ts';

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
