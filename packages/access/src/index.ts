export {
  CAPABILITIES,
  type Capability,
  expiryOf,
  graceEndOf,
  issueLicense,
  type License,
  type LicenseClaims,
  type LicenseFault,
  type LicenseTerm,
  type LicenseVerdict,
  licenseRefusal,
  licenseWarning,
  termOf,
  verifyLicense,
  WARNING_DAYS,
} from './license.ts';
export { CLOCK_TOLERANCE_S } from './oidc/claims.ts';
export type { FetchOutcome } from './oidc/keys.ts';
export { createIdentityProvider, type TokenRefusal, type TokenVerdict, type TokenVerifier } from './oidc/token.ts';
export {
  authoritiesBesides,
  createOidcTransport,
  discoverIdentityProvider,
  IdentityProviderUnreachable,
  issuerFault,
  whyUnreached,
} from './oidc/transport.ts';
export { parseWorkloadRules, type WorkloadRule } from './oidc/workload-rules.ts';
export { createWorkloads, parseKeySet, type WorkloadSource, type Workloads } from './oidc/workloads.ts';
export {
  type Authorization,
  authorize,
  digestOfAccountKey,
  type Explanation,
  explain,
  newAccountKey,
  type PolicyDecision,
} from './policy/authorize.ts';
export {
  type CompiledPolicySet,
  checkHandedIn,
  checkPolicySet,
  compilePolicySet,
  describeFault,
  type PolicySetCheck,
  PolicySetUnusable,
  type SoundPolicySet,
} from './policy/check.ts';
export { PolicyEngineFault } from './policy/engine.ts';
export type { ParsedPolicy, PolicyFault } from './policy/parse.ts';
export { readingsOf } from './policy/readings.ts';
export { durationOf, groupsOf } from './policy/refute.ts';
export { findMentionedNames, type MentionedName, type PolicyRequest, type PolicyResource } from './policy/request.ts';
export { INSTANCE, POLICY_SCHEMA, type ResourceType, resourceTypeOf } from './policy/schema.ts';
export { TRUSTS_DEVELOPMENT_LICENSES, VENDOR_PUBLIC_KEY } from './vendor-key.ts';
