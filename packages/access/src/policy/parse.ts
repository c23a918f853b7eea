import { askEngine, type Cedar } from './engine.ts';

/** Where a text exceeds the engine's safe stack depth, and the fault there. */
interface TextFault {
  /** Index into the text, in UTF-16 code units. */
  readonly at: number;
  readonly message: string;
}

/** Characters of a whole policy set. */
const MOST_CHARACTERS = 262_144;
/** Brackets inside brackets. The engine's stack (1 MB) was seen to overflow from 80 on. */
const MOST_DEPTH = 24;
/** Operators in one policy: each may be one level of its tree. The stack was seen to overflow from 400 on. */
const MOST_OPERATORS = 200;

/** NUL, which the database cannot keep, and half of a surrogate pair, on which the engine breaks down. */
const UNSTORABLE = /\0|\p{Cs}/u;

const TOKEN =
  /\/\/[^\n]*|"(?:[^"\\]|\\.)*"?|\?(?:principal|resource)\b|&&|\|\||[=!<>]=?|[[({\])};.+*-]|\bif\b|\bin\b|\blike\b|\bhas\b|\bis\b/gsu;

/**
 * Finds texts that must not reach the engine: a tree so deep that it overflows the engine's stack and crashes it, invalid
 * Unicode, and a template, which could never apply. Null for none; the engine judges the rest.
 */
function textFault(text: string): TextFault | null {
  if (text.length > MOST_CHARACTERS) {
    return { at: MOST_CHARACTERS, message: `the policy set is longer than ${MOST_CHARACTERS} characters` };
  }
  const unstorable = UNSTORABLE.exec(text);
  if (unstorable !== null) return { at: unstorable.index, message: 'a policy set is well-formed text without NUL' };
  let depth = 0;
  let operators = 0;
  for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
    if (token.startsWith('//') || token.startsWith('"')) continue;
    if (token.startsWith('?')) return { at, message: `a template (${token}) can never apply: name the entity` };
    if ('[({'.includes(token)) depth += 1;
    else if ('])}'.includes(token)) depth -= 1;
    else if (token === ';') operators = 0;
    else operators += 1;
    if (depth > MOST_DEPTH) return { at, message: `brackets are nested more than ${MOST_DEPTH} deep` };
    if (operators > MOST_OPERATORS) {
      return { at, message: `the policy holds more than ${MOST_OPERATORS} operators: split it into several policies` };
    }
  }
  return null;
}

/** Something wrong with a policy set, and where. */
export interface PolicyFault extends Position {
  readonly message: string;
}

/** One policy of a set. */
export interface ParsedPolicy {
  /** Its `@id` annotation, else `policy <n>`, counted from 1. It is what the decision log names. */
  readonly name: string;
  readonly position: Position;
  readonly text: string;
  readonly tree: Cedar.PolicyJson;
}

export type ParsedPolicySet =
  | { readonly ok: true; readonly policies: readonly ParsedPolicy[] }
  | { readonly ok: false; readonly faults: readonly PolicyFault[] };

/** With a schema without actions, the engine warns about every policy, once, with the position of the whole policy. */
const NO_ACTIONS = 'entity Nothing;';
const NEVER_APPLIES = /unable to find an applicable action/;

/** Locates an error of the engine in the text; an error without a position is shown at the start of `otherwise`. */
export function placeFault(
  text: string,
  error: Cedar.DetailedError,
  otherwise: Position = { line: 1, column: 1 },
): PolicyFault {
  const [at] = error.sourceLocations ?? [];
  const position = at ? positionAt(text, indexOfOctet(text, at.start)) : otherwise;
  const said = error.message.replace(/^failed to parse policies from string: |^for policy `[^`]*`[,:] /, '');
  const hint = [at?.label, error.help].filter((part) => part != null && part !== '').join('; ');
  return { ...position, message: hint === '' ? said : `${said} (${hint})` };
}

/** Reads a policy set into its policies, in the order of the text. It judges no more than the grammar. */
export function parsePolicySet(text: string): ParsedPolicySet {
  const tooFar = textFault(text);
  if (tooFar) return { ok: false, faults: [{ ...positionAt(text, tooFar.at), message: tooFar.message }] };
  const answer = askEngine((cedar) => cedar.validate({ schema: NO_ACTIONS, policies: { staticPolicies: text } }));
  if (answer.type === 'failure') return { ok: false, faults: answer.errors.map((error) => placeFault(text, error)) };
  const spans = answer.validationWarnings
    .filter(({ error }) => NEVER_APPLIES.test(error.message))
    .map(({ error }) => error.sourceLocations?.[0])
    .filter((span) => span !== undefined)
    .sort((one, other) => one.start - other.start);
  return { ok: true, policies: spans.map((span, index) => parseOne(text, span, index)) };
}

function parseOne(text: string, span: Cedar.SourceLocation, index: number): ParsedPolicy {
  const start = indexOfOctet(text, span.start);
  const own = text.slice(start, indexOfOctet(text, span.end));
  const answer = askEngine((cedar) => cedar.policyToJson(own));
  if (answer.type === 'failure')
    throw new Error(`a policy that parsed does not parse alone: ${answer.errors[0]?.message}`);
  const named = answer.json.annotations?.id;
  return {
    name: named === undefined || named === '' ? `policy ${index + 1}` : named,
    position: positionAt(text, start),
    text: own,
    tree: answer.json,
  };
}

/** A position in a text, both counted from 1; a column counts characters as an editor does (UTF-16 code units). */
export interface Position {
  readonly line: number;
  readonly column: number;
}

function positionAt(text: string, index: number): Position {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - lineStart + 1 };
}

/** The engine counts octets of UTF-8; everything else here counts UTF-16 code units. */
function indexOfOctet(text: string, octet: number): number {
  return Buffer.from(text).subarray(0, octet).toString().length;
}
