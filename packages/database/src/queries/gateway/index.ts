export { createDecisionLog, type DecisionLog, type DecisionLogOptions } from '../../audit-log/decision-log.ts';
export { createDetectionLog, type DetectionLog, type DetectionLogOptions } from '../../audit-log/detection-log.ts';
export type { SeenEnd, SeenEndStore } from '../../audit-log/earlier-state.ts';
export { createLink, type Link, type LinkOptions } from '../../client/link.ts';
export {
  createUsageLog,
  type Durability,
  type UsageFaults,
  type UsageLog,
  type UsageLogOptions,
} from '../../usage/usage-log.ts';
export { type UsageLine, type UsageRecord, usageLine, type WorkSeen } from '../../usage/usage-statement.ts';
export {
  type AgentCommandEnd,
  type AgentCommandStart,
  type AgentCommands,
  type AgentCommandsOptions,
  createAgentCommands,
} from './agent-commands.ts';
export { readChainPositions } from './chain-positions.ts';
export { type Expiry, keepExpiries } from './expiries.ts';
export { createLogReader, type LogReader, type LogReaderOptions, type Positions } from './export/log-reader.ts';
export {
  type DetectedCall,
  type ExportedAction,
  type ExportRecord,
  type ExportSource,
  recordedAt,
} from './export/records.ts';
export { installAdministrator } from './first-administrator.ts';
export { type KeyVariables, keepKeyVariables, readKeyVariables } from './key-variables.ts';
export { createLicenseSeats, type LicenseSeats, type SeatStanding } from './license-seats.ts';
export { createLogTrees, type LogTrees } from './log-trees.ts';
export { type ModelPrices, readModelPrices } from './model-prices.ts';
export { registerOidcIdentity } from './oidc-identity.ts';
export { type OrganizationPolicyRevision, readOrganizationPolicy } from './organization-policy.ts';
export { readPolicyText } from './policy-text.ts';
export {
  finishProviderTest,
  type ProviderTest,
  type ProviderTestResult,
  takeProviderTest,
} from './provider-tests.ts';
export { createRelayFactsReader } from './relay-facts/reader.ts';
export type {
  AccountFacts,
  BillingFacts,
  EndpointFacts,
  RelayFacts,
  RelayFactsOptions,
  RelayFactsReader,
  RelayQuery,
  ServedModel,
} from './relay-facts/types.ts';
export {
  createStandingsReader,
  type OwnedSession,
  type StandingQuery,
  type Standings,
  type StandingsReader,
  sessionKey,
} from './standings.ts';
export { type KeyUse, keepUpstreamResults, type UpstreamResult } from './upstream-results.ts';
export { createWorkstations, type ServedPolicy, type Workstations, type WorkstationsOptions } from './workstations.ts';
