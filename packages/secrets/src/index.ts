export { usePreparedAutomaton } from './scan/automaton.ts';
export { loadAutomaton } from './scan/catalogue.ts';
export {
  allowanceOf,
  blockingKinds,
  type Finding,
  maskOf,
  type Response,
  type ResponsePolicy,
  type Responses,
  respond,
  responsePolicyOf,
  type SecretsPolicy,
} from './scan/response.ts';
export type { Channel, ChannelStep } from './stream/channel.ts';
export { createEventStream, createTextStream, createUnnamedStream, type EventStream } from './stream/events.ts';
export type { EventStep } from './stream/exit.ts';
export type { Framing } from './stream/framing.ts';
export {
  type BodyReport,
  createScanner,
  maskText,
  operatorLine,
  type Scanner,
  type ScannerOptions,
} from './stream/scanner.ts';
export { decodeText } from './text/charset.ts';
export { withoutTokenLists } from './text/token-lists.ts';
export { type Confidence, KINDS, type Kind, type RuleCard } from './verify/rule.ts';
