export type { JsonEvents, LiteralKind, TokenizerOptions } from './literal.ts';
export {
  findRepeatedMember,
  type MemberPath,
  MemberValues,
  type Path,
  type StringVisit,
  visitStrings,
} from './member-values.ts';
export { ENCODING_BYTES, type Encoding, encode, encodingOf, Narrower, UNIT_BYTES } from './narrow.ts';
export { JsonTokenizer } from './tokenizer.ts';
