export { usePreparedAutomaton } from './automaton/automaton.ts';
export type { Channel, ChannelStep } from './channel/channel.ts';
export { withoutTokenLists } from './json/token-lists.ts';
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
export type { BodyReport } from './scanner/report.ts';
export { createScanner, maskText, operatorLine, type Scanner, type ScannerOptions } from './scanner/scanner.ts';
export { createEventStream, type EventStream } from './stream/events.ts';
export type { EventStep } from './stream/exit.ts';
export type { Framing } from './stream/framing.ts';
export { createTextStream, createUnnamedStream } from './stream/unnamed.ts';
export { decodeText } from './text/charset.ts';
export { type Confidence, KINDS, type Kind, type RuleCard } from './verify/rule.ts';
