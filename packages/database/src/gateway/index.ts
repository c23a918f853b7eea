export {
  type AgentCommandEnd,
  type AgentCommandStart,
  type AgentCommands,
  type AgentCommandsOptions,
  createAgentCommands,
  type StandingQuestion,
  type Standings,
} from './agent-commands.ts';
export { createDecisionLog, type DecisionLog, type DecisionLogOptions } from './decision-log.ts';
export { createRelayFactsReader } from './relay-facts.ts';
export type {
  AccountFacts,
  BillingFacts,
  EndpointFacts,
  RelayFacts,
  RelayFactsOptions,
  RelayFactsReader,
  RelayQuestion,
} from './relay-facts-types.ts';
export { createWorkstations, type ServedPolicy, type Workstations, type WorkstationsOptions } from './workstations.ts';
