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
