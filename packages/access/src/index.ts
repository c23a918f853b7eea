export { digestOfAccountKey, newAccountKey } from './account-key.ts';
export { type Authorization, authorize } from './authorize.ts';
export { endpointPathFault, isPathAllowed, MOST_PATHS } from './declarations/endpoint-paths.ts';
export { type Explanation, explain, type PolicyDecision } from './explain.ts';
export { CAPABILITIES, type Capability, type LicenseClaims } from './license/claims.ts';
export { licenseRefusal } from './license/coverage.ts';
export { issueLicense } from './license/issue.ts';
export { expiryOf, graceEndOf, type LicenseTerm, licenseWarning, termOf, WARNING_DAYS } from './license/term.ts';
export { TRUSTS_DEVELOPMENT_LICENSES, VENDOR_PUBLIC_KEY } from './license/vendor-key.ts';
export { type License, type LicenseFault, type LicenseVerdict, verifyLicense } from './license/verify.ts';
export { CLOCK_TOLERANCE_S } from './oidc/claims.ts';
export { discoverIdentityProvider } from './oidc/description.ts';
export { createIdentityProvider } from './oidc/identity-provider.ts';
export { issuerFault } from './oidc/issuer.ts';
export type { FetchOutcome } from './oidc/keys.ts';
export { type TokenRefusal, type TokenVerdict, type TokenVerifier } from './oidc/token.ts';
export { authoritiesBesides, createOidcTransport, IdentityProviderUnreachable } from './oidc/transport.ts';
export { whyUnreached } from './oidc/unreached.ts';
export {
  checkHandedIn,
  checkPolicySet,
  describeFault,
  type PolicySetCheck,
  type SoundPolicySet,
} from './policy/check.ts';
export { type CompiledPolicySet, compilePolicySet, PolicySetUnusable } from './policy/compiled.ts';
export { PolicyEngineFault } from './policy/engine.ts';
export { findMentionedNames, type MentionedName } from './policy/mentioned.ts';
export { durationOf } from './policy/moment.ts';
export { groupsOf } from './policy/network.ts';
export type { ParsedPolicy, PolicyFault } from './policy/parse.ts';
export type { PolicyRequest, PolicyResource } from './policy/request.ts';
export { INSTANCE, POLICY_SCHEMA, type ResourceType, resourceTypeOf } from './policy/schema.ts';
export { parseKeySet } from './workload/file-keys.ts';
export { parseWorkloadRules, type WorkloadRule } from './workload/rules.ts';
export { createWorkloads, type WorkloadSource, type Workloads } from './workload/workloads.ts';
