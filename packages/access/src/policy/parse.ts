import { askEngine, type Cedar } from './engine.ts';
import { textFault } from './nesting.ts';
import { indexOfOctet, type Position, positionAt } from './position.ts';

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
