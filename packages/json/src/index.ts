export { ENCODING_BYTES, type Encoding, encode, encodingOf, UNIT_BYTES } from './encoding.ts';
export type { JsonEvents, TokenizerOptions } from './events.ts';
export type { LiteralKind } from './literal.ts';
export { type MemberPath, MemberValues } from './member-values.ts';
export { Narrower } from './narrow.ts';
export { findRepeatedMember } from './repeated-member.ts';
export { type Path, type StringVisit, visitStrings } from './strings.ts';
export { JsonTokenizer } from './tokenizer.ts';
