export { createDecisionLog, type DecisionLog, type DecisionLogOptions } from '../../audit-log/decision-log.ts';
export { createDetectionLog, type DetectionLog, type DetectionLogOptions } from '../../audit-log/decision-statement.ts';
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
export {
  type Expiry,
  finishProviderTest,
  type KeyVariables,
  keepExpiries,
  keepKeyVariables,
  type ProviderTest,
  type ProviderTestResult,
  readKeyVariables,
  takeProviderTest,
} from './key-variables.ts';
export {
  createLicenseSeats,
  installAdministrator,
  type LicenseSeats,
  registerOidcIdentity,
  type SeatStanding,
} from './license-seats.ts';
export {
  createLogReader,
  type DetectedCall,
  type ExportedAction,
  type ExportRecord,
  type ExportSource,
  type LogReader,
  type LogReaderOptions,
  type Positions,
  recordedAt,
} from './log-reader.ts';
export { createLogTrees, type LogTrees, readChainPositions } from './log-trees.ts';
export {
  type ModelPrices,
  type OrganizationPolicyRevision,
  readModelPrices,
  readOrganizationPolicy,
  readPolicyText,
} from './organization-policy.ts';
export type {
  AccountFacts,
  BillingFacts,
  EndpointFacts,
  RelayFacts,
  RelayFactsOptions,
  RelayFactsReader,
  RelayQuery,
  ServedModel,
} from './relay-facts/columns.ts';
export { createRelayFactsReader } from './relay-facts/reader.ts';
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
