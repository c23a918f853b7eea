export { allowanceOf, type Finding, maskOf } from './finding.ts';
export { maskedText, operatorLine } from './operator-line.ts';
export type { BodyReport } from './report.ts';
export {
  blockingKinds,
  type Response,
  type Responses,
  respond,
  type SecretsPolicy,
  type Stance,
  stanceOf,
} from './response.ts';
export { type Confidence, KINDS, type Kind, type RuleCard } from './rules/rule.ts';
export { createScanner, type Scanner, type ScannerOptions } from './scanner.ts';
export type { Channel, ChannelStep } from './stream/channel.ts';
export { createEventStream, type EventStream } from './stream/events.ts';
export type { EventStep } from './stream/exit.ts';
export type { Framing } from './stream/framing.ts';
export { createTextStream } from './stream/text.ts';
export { createUnnamedStream } from './stream/unnamed.ts';
export { decodeText } from './text/decode.ts';
