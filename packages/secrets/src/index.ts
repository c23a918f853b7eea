export { allowanceOf, type Finding, maskOf } from './finding.ts';
export { type Confidence, KINDS, type Kind, type RuleCard } from './rules/rule.ts';
export { type BodyReport, createScanner, type Scanner, type ScannerOptions } from './scanner.ts';
export type { Channel, ChannelMode, ChannelStep } from './stream/channel.ts';
