export { usePreparedAutomaton } from './automaton/prepared.ts';
export type { Channel, ChannelStep } from './channel/channel.ts';
export { withoutTokenLists } from './json/token-lists.ts';
export { loadAutomaton } from './scan/catalogue.ts';
export { allowanceOf, type Finding, maskOf } from './scan/finding.ts';
export {
  blockingKinds,
  type Response,
  type ResponsePolicy,
  type Responses,
  respond,
  responsePolicyOf,
  type SecretsPolicy,
} from './scan/response.ts';
export { maskText, operatorLine } from './scanner/operator-line.ts';
export type { BodyReport } from './scanner/report.ts';
export { createScanner, type Scanner, type ScannerOptions } from './scanner/scanner.ts';
export { createEventStream, type EventStream } from './stream/events.ts';
export type { EventStep } from './stream/exit.ts';
export type { Framing } from './stream/framing.ts';
export { createTextStream } from './stream/text.ts';
export { createUnnamedStream } from './stream/unnamed.ts';
export { decodeText } from './text/decode.ts';
export { type Confidence, KINDS, type Kind, type RuleCard } from './verify/rule.ts';
